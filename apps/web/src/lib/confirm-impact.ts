import type { Impact, RetroactiveChange, RetroactiveFileChange } from '@voisol/contract/effects'
import type { z } from 'zod'
import { call } from './call.ts'
import { pendingImpactConfirmation } from './stores.ts'

/** What the change brings along to say that its effects were seen; nothing where it has none on what was computed. */
export type ImpactPreviewToken = { shown?: string }

/** Days are touched, and every figure stays: there is nothing to look at. */
const hasNoImpact = ({ months, outdated, beyond }: Impact) =>
  months.every(({ changed }) => !changed) && outdated.length === 0 && beyond === null

/**
 * Before a change that may reach days which were computed already: shows what it does to them, and waits for the
 * person's word. Null where they thought better of it. `action` says what confirming does.
 */
export async function confirmImpact(
  change: z.input<typeof RetroactiveChange>,
  action: string,
): Promise<ImpactPreviewToken | null> {
  // The schemas of every such change are for those who make one.
  const { effects } = await import('@voisol/contract/effects')
  return askForImpactConfirmation(await call(effects.preview, { body: change }), action)
}

/** The same before a file that is sent whole. */
export async function confirmFileImpact(
  change: RetroactiveFileChange,
  upload: File,
  action: string,
): Promise<ImpactPreviewToken | null> {
  const { effects } = await import('@voisol/contract/effects')
  return askForImpactConfirmation(await call(effects.previewFile, { query: change, upload }), action)
}

async function askForImpactConfirmation(impact: Impact, action: string): Promise<ImpactPreviewToken | null> {
  const { shown } = impact
  if (shown === null) return {}
  if (hasNoImpact(impact)) return { shown }
  const agreed = await new Promise<boolean>((settle) =>
    pendingImpactConfirmation.set({ effects: impact, action, settle }),
  )
  pendingImpactConfirmation.set(null)
  return agreed ? { shown } : null
}
