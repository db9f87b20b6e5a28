import type { WhiteLabel } from '@voisol/contract/white-label'
import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

export const brandStore = createStore<WhiteLabel | null>(null)
const getServerBrand = () => null
/** The company's own look, for logos and names; null while the product has its own. */
export const useBrand = () => useSyncExternalStore(brandStore.subscribe, brandStore.read, getServerBrand)
