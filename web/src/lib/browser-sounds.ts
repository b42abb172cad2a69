/** Short sounds, synthesised without files. */

export type Sound = "place" | "turn" | "refuse" | "end";

let context: AudioContext | null = null;

function tone(
  at: AudioContext,
  when: number,
  pitch: number,
  length: number,
  volume: number,
  shape: OscillatorType = "sine",
): void {
  const source = at.createOscillator();
  const gain = at.createGain();
  source.type = shape;
  source.frequency.setValueAtTime(pitch, when);
  gain.gain.setValueAtTime(0, when);
  gain.gain.linearRampToValueAtTime(volume, when + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, when + length);
  source.connect(gain).connect(at.destination);
  source.start(when);
  source.stop(when + length);
}

/** A knock: a short low tone and a shorter high one. */
function knock(at: AudioContext, when: number, pitch: number): void {
  tone(at, when, pitch, 0.09, 0.22);
  tone(at, when, pitch * 3.1, 0.03, 0.08, "triangle");
}

export function play(sound: Sound): void {
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") void context.resume();
    const now = context.currentTime + 0.01;
    if (sound === "place") knock(context, now, 210);
    if (sound === "refuse") knock(context, now, 110);
    if (sound === "turn") {
      tone(context, now, 660, 0.16, 0.08);
      tone(context, now + 0.09, 880, 0.22, 0.08);
    }
    if (sound === "end") [523, 659, 784].forEach((pitch, step) => tone(context!, now + step * 0.13, pitch, 0.5, 0.08));
  } catch {
    // this browser cannot play sounds
  }
}
