import type { Impact } from '@voisol/contract/effects'
import { createStore } from './store.ts'

/** What a change does, and the person who is to say whether it is made. */
export type ImpactConfirmation = { effects: Impact; action: string; settle: (agreed: boolean) => void }

export const pendingImpactConfirmation = createStore<ImpactConfirmation | null>(null)
