import { getErrorCauses, getSystemErrorCode } from './causes.ts'

/** No room left, of PostgreSQL (53100), of a file, or of somebody's share of the disk. */
const DISK_FULL_CODES = ['53100', 'ENOSPC', 'EDQUOT']

/** What an error says, or what it came from. */
export const isDiskFullError = (error: unknown): boolean =>
  getErrorCauses(error).some((at) => DISK_FULL_CODES.includes(getSystemErrorCode(at)))
