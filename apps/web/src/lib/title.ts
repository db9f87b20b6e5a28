import { useEffect, useSyncExternalStore } from 'react'
import { fullTitle } from './metadata.ts'
import { createStore } from './store.ts'

const company = createStore<string | undefined>(undefined)
const none = () => undefined

/** The company whose name follows every title; undefined gives it back to the product. */
export const setTitleCompany = company.set

export function useTitle(title: string | undefined) {
  const name = useSyncExternalStore(company.subscribe, company.read, none)
  useEffect(() => {
    document.title = fullTitle(title, name)
  }, [title, name])
}
