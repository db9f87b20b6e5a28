import type { SignOff } from '@voisol/contract/allocations'
import type { z } from 'zod'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { RunCompleteness } from './completeness.ts'
import type { RunInput } from './input.ts'
import type { RunRow } from './runs.ts'
import { buildIncompleteError, describeShortfall } from './shortfall.ts'

/** Who asks for a run; nobody for the product itself. */
export type RunAuthor = Pick<Actor, 'kind' | 'userId' | 'keyId' | 'firstName' | 'lastName' | 'email'> | null

/** As it is stored: with the data it was given for, and whoever gave it, unless the run was imported from another company. */
export type StoredSignOff = z.infer<typeof SignOff> & { userId?: string; inputHash: string }

/** A definitive run is somebody's decision: nothing that the product does by itself makes one. */
export function requireRunAuthor(author: RunAuthor): asserts author is NonNullable<RunAuthor> {
  if (!author)
    throw new AppError('conflict', {
      message: 'Un calcul définitif est décidé par une personne\u00a0: il ne se lance pas de lui-même.',
    })
}

/** The word of the person who goes on without what is missing. */
export function buildSignOff(
  author: RunAuthor,
  missing: string[],
  given: { reason: string } | undefined,
  inputHash: string,
) {
  if (!missing.length) return null
  if (!given) throw buildIncompleteError(missing)
  requireRunAuthor(author)
  if (author.kind !== 'person')
    throw fieldError('signOff', 'Seule une personne connectée peut confirmer un calcul sur des données incomplètes.')
  const by = `${author.firstName} ${author.lastName}`.trim() || author.email
  const signOff: StoredSignOff = {
    reason: given.reason,
    by,
    at: new Date().toISOString(),
    missing,
    userId: author.userId,
    inputHash,
  }
  return signOff
}

const CHANGED_SINCE_SIGN_OFF_MESSAGE =
  'Les données ont changé depuis que le calcul a été confirmé\u00a0: relancez-le, ce qui manque encore vous sera montré.'

/** At the end of a definitive run: what it rests on is complete, or is what somebody has confirmed. */
export function requireSignOff(run: RunRow, input: RunInput, completeness: RunCompleteness, hash: string): void {
  if (run.kind !== 'definitive') return
  const signOff = run.signOff as StoredSignOff | null // written by `signedOff`
  if (signOff && signOff.inputHash !== hash) throw new AppError('conflict', { message: CHANGED_SINCE_SIGN_OFF_MESSAGE })
  const missing = signOff ? [] : describeShortfall(input, completeness)
  if (missing.length) throw buildIncompleteError(missing)
}
