export type Coordinates = { latitude: number; longitude: number }

/** Used when the place of a point is unknown: the middle of mainland France. */
export const FRANCE_CENTRE: Coordinates = { latitude: 46.5, longitude: 2.5 }

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value))

/** −1 in the middle of winter, +1 in the middle of summer: both come three weeks after the solstices. */
export function computeSeason(minute: number, latitude: number): number {
  const turn = Math.cos((2 * Math.PI * (minute / 1440 - 200)) / 365.2425)
  return latitude < 0 ? -turn : turn
}

/**
 * How sunny the sky is on average: more in the south, and far more on the Mediterranean coast than on the Atlantic one.
 */
export function computeSunniness({ latitude, longitude }: Coordinates): number {
  const south = 45.7 - clamp(Math.abs(latitude), 41, 51.5)
  const coast = clamp((45.2 - latitude) / 1.6, 0, 1) * clamp((longitude - 1.8) / 1.4, 0, 1)
  return 0.24 + 0.07 * south + 0.42 * coast
}

/** Degrees of a normal year: mean by latitude, a wider gap between seasons inland, warmest in mid-afternoon. */
export function computeNormalTemperature({ latitude, longitude }: Coordinates, minute: number): number {
  const mean = 28.6 - 0.007 * latitude * latitude
  const swing = 0.17 * Math.abs(latitude) + clamp((longitude - 2) * 0.25, -1.7, 1.7)
  const now = computeSeason(minute, latitude)
  return mean + swing * now + computeDiurnalFactor(longitude, minute) * (3.4 + 1.4 * now)
}

/** +1 at three in the afternoon of solar time, −1 before dawn. */
export function computeDiurnalFactor(longitude: number, minute: number): number {
  const hour = minute / 60 + longitude / 15 - 15
  return Math.cos((2 * Math.PI * hour) / 24)
}
