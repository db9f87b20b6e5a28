export const MAX_CURVE_FILE_ROWS = 5_000_000
export const MAX_CURVE_FILE_BYTES = 64 * 1024 * 1024
/** Values of a whole file: a table of 500 points over a year of quarter hours stays below. */
export const MAX_READINGS = 20_000_000
export const MAX_CURVE_FILE_COLUMNS = 10_000
/** A request names ten thousand points, each in one or two directions. */
export const MAX_CURVES = 20_000
/** Above any operation the law allows, and below what one hour of watt-minutes holds in 32 bits. */
export const MAX_WATTS = 30_000_000
/** Parts of a workbook, once inflated. */
export const MAX_INFLATED = 128 * 1024 * 1024
