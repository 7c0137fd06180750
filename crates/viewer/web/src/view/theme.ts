// Colours of the picture in light and dark.

export interface Theme {
  background: number;
  ground: number;
  line: number;
  lineStrength: number;
  sky: number;
  earth: number;
  ambient: number;
  sun: number;
  fill: number;
  edge: number;
  edgeOpacity: number;
}

export const LIGHT: Theme = {
  background: 0xeef1f5, ground: 0xe9edf2, line: 0x7d8b9c, lineStrength: 0.5, sky: 0xffffff, earth: 0xc9d0d9, ambient: 1.3,
  sun: 2.6, fill: 0.45, edge: 0x1c2733, edgeOpacity: 0.28,
};

export const DARK: Theme = {
  background: 0x161b22, ground: 0x3a4656, line: 0x8ea2ba, lineStrength: 0.32, sky: 0xb9cbe6, earth: 0x20262e, ambient: 1.0,
  sun: 2.1, fill: 0.35, edge: 0x05070a, edgeOpacity: 0.45,
};

/** Colours of what is drawn over the bodies. */
export const MARKS = {
  collision: 0xe5482d, micro: 0x8a5cf0, rest: 0x2f7fd8, roll: 0x17a673, slide: 0xe0a100, box: 0x6d8fb5, closest: 0xd6428f,
  centre: 0xf5c542, cone: 0xe58a2d, hand: 0x18b4c9, trail: 0x4c8dff, selected: 0x2f8bff,
} as const;
