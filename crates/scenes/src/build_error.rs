//! Why a described scene cannot be built.

use impulse::geometry::{CompoundError, DecomposeError, StaticMeshError};
use impulse::world::{ActError, BuildError};

/// Why a world cannot be built from a scene.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SceneBuildError {
    /// The engine's builder refused something.
    #[error(transparent)]
    World(#[from] BuildError),
    /// The engine refused a controller.
    #[error("controller \"{name}\": {error}")]
    Controller {
        /// The controller.
        name: String,
        /// The reason.
        error: ActError,
    },
    /// A half-space is part of a compound.
    #[error("body \"{0}\": a half-space cannot be part of a compound; use a large cuboid instead")]
    HalfSpacePart(String),
    /// The parts do not form a compound.
    #[error("body \"{name}\": {error}")]
    Compound {
        /// The body.
        name: String,
        /// The reason.
        error: CompoundError,
    },
    /// A mesh cannot be decomposed into convex pieces.
    #[error("body \"{name}\": {error} (in the script: `mesh(file, #{{ pieces: 1000, error: 0.1 }})`)")]
    Decompose {
        /// The body.
        name: String,
        /// The reason.
        error: DecomposeError,
    },
    /// The triangles of a body that is not free make no surface.
    #[error("body \"{name}\": {error}")]
    Surface {
        /// The body.
        name: String,
        /// The reason.
        error: StaticMeshError,
    },
    /// A free body starts in the material of a mesh, whose surface it does not touch.
    #[error("bodies \"{free}\" and \"{mesh}\" overlap at the start: the one is inside the other; move it out")]
    Inside {
        /// The free body.
        free: String,
        /// The one it is inside.
        mesh: String,
    },
}
