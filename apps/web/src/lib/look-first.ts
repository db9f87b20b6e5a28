import type { Change, Effects, FileChange } from '@voisol/contract/effects'
import type { z } from 'zod'
import { call } from './call.ts'
import { askedEffects } from './effects-store.ts'

/** What the change brings along to say that its effects were seen; nothing where it has none on what was computed. */
export type Seen = { shown?: string }

/** Days are touched, and every figure stays: there is nothing to look at. */
const changesNothing = ({ months, outdated, beyond }: Effects) =>
  months.every(({ changed }) => !changed) && outdated.length === 0 && beyond === null

/**
 * Before a change that may reach days which were computed already: shows what it does to them, and waits for the
 * person's word. Null where they thought better of it. `action` says what confirming does.
 */
export async function lookFirst(change: z.input<typeof Change>, action: string): Promise<Seen | null> {
  // The schemas of every such change are for those who make one.
  const { effects } = await import('@voisol/contract/effects')
  return agreedTo(await call(effects.preview, { body: change }), action)
}

/** The same before a file that is sent whole. */
export async function lookAtFile(change: FileChange, upload: File, action: string): Promise<Seen | null> {
  const { effects } = await import('@voisol/contract/effects')
  return agreedTo(await call(effects.previewFile, { query: change, upload }), action)
}

async function agreedTo(found: Effects, action: string): Promise<Seen | null> {
  const { shown } = found
  if (shown === null) return {}
  if (changesNothing(found)) return { shown }
  const agreed = await new Promise<boolean>((settle) => askedEffects.set({ effects: found, action, settle }))
  askedEffects.set(null)
  return agreed ? { shown } : null
}
