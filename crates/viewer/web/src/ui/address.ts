// The address: scene, parameters, seed, time, camera and what is drawn, so that a link shows the same picture.

export interface Place {
  scene: string;
  /** A script of its own with its files, packed as in ../bundle.ts. */
  code: string | null;
  params: Record<string, string>;
  seed: number;
  until: number | null;
  time: number | null;
  camera: number[] | null;
  show: string[] | null;
}

export function read(fragment: string): Place {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (name: string) => {
    const value = Number(fields.get(name) ?? NaN);
    return Number.isFinite(value) && value >= 0 ? value : null;
  };
  const camera = (fields.get("camera") ?? "").split(",").map(Number);
  const params: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (name.startsWith("set.")) {
      params[name.slice(4)] = value;
    }
  }
  return {
    scene: fields.get("scene") ?? "",
    code: fields.get("code"),
    params,
    seed: Math.floor(number("seed") ?? 0),
    until: number("until"),
    time: number("t"),
    camera: camera.length === 6 && camera.every(Number.isFinite) ? camera : null,
    show: fields.has("show") ? (fields.get("show") ?? "").split(",").filter((name) => name !== "") : null,
  };
}

export function write(place: Place): string {
  const fields = new URLSearchParams({ scene: place.scene });
  Object.entries(place.params).forEach(([name, value]) => fields.set(`set.${name}`, value));
  if (place.code !== null) {
    fields.set("code", place.code);
  }
  if (place.seed !== 0) {
    fields.set("seed", String(place.seed));
  }
  if (place.until !== null) {
    fields.set("until", String(place.until));
  }
  if (place.time !== null) {
    fields.set("t", String(place.time));
  }
  if (place.camera !== null) {
    fields.set("camera", place.camera.map((x) => Number(x.toPrecision(7))).join(","));
  }
  if (place.show !== null) {
    fields.set("show", place.show.join(","));
  }
  return `#${fields.toString().replaceAll("%2C", ",")}`;
}
