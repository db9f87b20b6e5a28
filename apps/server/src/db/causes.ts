/** An error and what it came from, the latest first. */
export function getErrorCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...getErrorCauses(error.cause)] : []
}

/** What a driver or the system calls it; empty where nobody did. */
export const getSystemErrorCode = (error: unknown): string =>
  typeof error === 'object' && error && 'code' in error && typeof error.code === 'string' ? error.code : ''
