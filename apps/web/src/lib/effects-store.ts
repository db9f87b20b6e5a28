import type { Effects } from '@voisol/contract/effects'
import { createStore } from './store.ts'

/** What a change does, and the person who is to say whether it is made. */
export type AskedEffects = { effects: Effects; action: string; settle: (agreed: boolean) => void }

export const askedEffects = createStore<AskedEffects | null>(null)
