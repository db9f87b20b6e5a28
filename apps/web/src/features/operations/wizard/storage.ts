import { z } from 'zod'
import { OPERATION_DRAFT } from '../../../lib/storage.ts'
import { type Draft, newDraft } from './draft.ts'

/** A draft belongs to one person in one company; it lasts as long as the tab and the session. */
export const draftKey = (userId: string, companyId: number) => `${OPERATION_DRAFT}${companyId}_${userId}`

const Kept = z.object({ step: z.int().min(0).max(7), draft: z.record(z.string(), z.unknown()) })
export type Kept = { step: number; draft: Draft }

/** What an older version of the product kept may lack a field: the usual value stands in. */
export function readDraft(key: string): Kept | null {
  try {
    const kept = Kept.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
    return { step: kept.step, draft: { ...newDraft(), ...kept.draft } }
  } catch {
    return null
  }
}

export function writeDraft(key: string, kept: Kept) {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // A full or refused storage only means that leaving loses the draft.
  }
}

export function dropDraft(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Refused: then nothing was kept either.
  }
}
