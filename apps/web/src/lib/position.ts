export type Position = { latitude: number | null; longitude: number | null }

/** Both with decimals: « 45,76 » is one number, not two. */
const POSITION_PATTERN = /^(-?\d{1,2}[.,]\d+)°?\s*[;,\s]\s*(-?\d{1,3}[.,]\d+)°?$/
const MAX_COORDINATE_DECIMALS = 6
export const POSITION_ERROR = 'Latitude et longitude attendues, par exemple 45,7601 ; 4,8512.'

/** « 45.7601, 4.8512 » or « 45,7601 ; 4,8512 », as any map gives it; null where it cannot be one. */
export function parsePosition(text: string): { latitude: number; longitude: number } | null {
  const [, first, second] = POSITION_PATTERN.exec(text.trim()) ?? []
  if (!first || !second) return null
  const [latitude, longitude] = [first, second].map((part) => Number(part.replace(',', '.')))
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return null
  return { latitude, longitude }
}

const formatCoordinate = (value: number) => {
  const digits = String(Number(value.toFixed(MAX_COORDINATE_DECIMALS)))
  return digits.includes('.') ? digits.replace('.', ',') : `${digits},0`
}

export const formatPosition = ({ latitude, longitude }: Position) =>
  latitude === null || longitude === null ? '' : `${formatCoordinate(latitude)} ; ${formatCoordinate(longitude)}`
