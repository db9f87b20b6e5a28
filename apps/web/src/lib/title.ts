import { useEffect, useSyncExternalStore } from 'react'
import { buildFullTitle } from './metadata.ts'
import { buildScreenTitle, screenNames } from './shown.ts'
import { createStore } from './store.ts'

const companyStore = createStore<string | undefined>(undefined)
const getServerCompany = () => undefined

/** The company whose name follows every title; undefined gives it back to the product. */
export const setTitleCompany = companyStore.set

/** `served` is a title somebody wrote for this address: it stands as it is. */
export function useTitle(title: string | undefined, served?: string | undefined) {
  const name = useSyncExternalStore(companyStore.subscribe, companyStore.read, getServerCompany)
  const names = useSyncExternalStore(screenNames.subscribe, screenNames.read, screenNames.read)
  const whole = buildScreenTitle(title, names)
  useEffect(() => {
    document.title = served ?? buildFullTitle(whole, name)
  }, [whole, served, name])
}
