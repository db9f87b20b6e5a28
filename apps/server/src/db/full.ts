import { getErrorCauses, getSystemErrorCode } from './causes.ts'

/** No space left: for PostgreSQL (53100), for a file, or within a quota. */
const DISK_FULL_CODES = ['53100', 'ENOSPC', 'EDQUOT']

/** Checks the error and its causes. */
export const isDiskFullError = (error: unknown): boolean =>
  getErrorCauses(error).some((at) => DISK_FULL_CODES.includes(getSystemErrorCode(at)))
