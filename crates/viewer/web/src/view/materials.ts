// Materials with patterns: ground with a grid that fades with distance, balls whose turning can be seen.

import { Color, MeshLambertMaterial, MeshStandardMaterial, type MeshStandardMaterialParameters } from "three";

/** A plane with a grid of squares of some width, m, and stronger lines at every tenth. */
export function ground(width: number): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  const uniforms = { line: { value: new Color() }, strength: { value: 0.5 }, width: { value: width } };
  material.userData = uniforms;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { gridLine: uniforms.line, gridStrength: uniforms.strength, gridWidth: uniforms.width });
    shader.vertexShader = `varying vec3 vPlace;\n${shader.vertexShader}`.replace(
      "#include <begin_vertex>",
      "#include <begin_vertex>\nvPlace = position;",
    );
    shader.fragmentShader = `${GRID}\n${shader.fragmentShader}`.replace(
      "#include <color_fragment>",
      "#include <color_fragment>\ndiffuseColor.rgb = mix(diffuseColor.rgb, gridLine, gridStrength * gridAt(normal0()));",
    );
  };
  return material;
}

const GRID = `
uniform vec3 gridLine;
uniform float gridStrength;
uniform float gridWidth;
varying vec3 vPlace;
vec3 normal0() { return normalize(cross(dFdx(vPlace), dFdy(vPlace))); }
float lines(vec2 place, float width) {
  vec2 at = place / width;
  vec2 slope = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(slope, vec2(1e-6));
  float fade = 1.0 - smoothstep(0.1, 0.5, max(slope.x, slope.y));
  return (1.0 - min(min(near.x, near.y), 1.0)) * fade;
}
float gridAt(vec3 n) {
  vec3 along = abs(n.z) > 0.5 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 0.0, 1.0);
  vec3 first = normalize(along - n * dot(along, n));
  vec2 place = vec2(dot(vPlace, first), dot(vPlace, cross(n, first)));
  return max(0.45 * lines(place, gridWidth), lines(place, 10.0 * gridWidth));
}
`;

/** A ball in two shades, octant by octant. */
export function ball(parameters: MeshStandardMaterialParameters): MeshStandardMaterial {
  const material = new MeshStandardMaterial(parameters);
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `varying vec3 vPlace;\n${shader.vertexShader}`.replace(
      "#include <begin_vertex>",
      "#include <begin_vertex>\nvPlace = position;",
    );
    shader.fragmentShader = `varying vec3 vPlace;\n${shader.fragmentShader}`.replace(
      "#include <color_fragment>",
      `#include <color_fragment>
      vec3 side = normalize(vPlace);
      vec3 soft = side / max(fwidth(side), vec3(1e-4));
      float octant = clamp(soft.x, -1.0, 1.0) * clamp(soft.y, -1.0, 1.0) * clamp(soft.z, -1.0, 1.0);
      diffuseColor.rgb *= mix(0.72, 1.08, 0.5 + 0.5 * octant);`,
    );
  };
  return material;
}
