import { causesOf, codeOf } from './causes.ts'

/** No room left, of PostgreSQL (53100), of a file, or of somebody's share of the disk. */
const CODES = ['53100', 'ENOSPC', 'EDQUOT']

/** What an error says, or what it came from. */
export const isFull = (error: unknown): boolean => causesOf(error).some((at) => CODES.includes(codeOf(at)))
