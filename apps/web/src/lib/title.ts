import { useEffect, useSyncExternalStore } from 'react'
import { fullTitle } from './metadata.ts'
import { createStore } from './store.ts'

const company = createStore<string | undefined>(undefined)
const none = () => undefined

/** The company whose name follows every title; undefined gives it back to the product. */
export const setTitleCompany = company.set

/** `served` is a title somebody wrote for this address: it stands as it is. */
export function useTitle(title: string | undefined, served?: string | undefined) {
  const name = useSyncExternalStore(company.subscribe, company.read, none)
  useEffect(() => {
    document.title = served ?? fullTitle(title, name)
  }, [title, served, name])
}
