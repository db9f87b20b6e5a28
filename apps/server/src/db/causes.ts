/** An error and its causes, outermost first. */
export function getErrorCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...getErrorCauses(error.cause)] : []
}

/** The code given by a driver or the system; empty without one. */
export const getSystemErrorCode = (error: unknown): string =>
  typeof error === 'object' && error && 'code' in error && typeof error.code === 'string' ? error.code : ''
