import { z } from 'zod'
import { OPERATION_DRAFT_PREFIX } from '../../../lib/storage.ts'
import { createOperationDraft, type OperationWizardDraft } from './draft.ts'

/** A draft belongs to one person in one company; it lasts as long as the tab and the session. */
export const getDraftStorageKey = (userId: string, companyId: number) =>
  `${OPERATION_DRAFT_PREFIX}${companyId}_${userId}`

const StoredDraft = z.object({ step: z.int().min(0).max(7), draft: z.record(z.string(), z.unknown()) })
export type StoredDraft = { step: number; draft: OperationWizardDraft }

/** What an older version of the product kept may lack a field: the usual value stands in. */
export function readStoredDraft(key: string): StoredDraft | null {
  try {
    const stored = StoredDraft.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
    return { step: stored.step, draft: { ...createOperationDraft(), ...stored.draft } }
  } catch {
    return null
  }
}

export function writeStoredDraft(key: string, kept: StoredDraft) {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // A full or refused storage only means that leaving loses the draft.
  }
}

export function removeStoredDraft(key: string) {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Refused: then nothing was kept either.
  }
}
