import { useEffect, useSyncExternalStore } from 'react'
import { fullTitle } from './metadata.ts'
import { shownNames, titleWith } from './shown.ts'
import { createStore } from './store.ts'

const company = createStore<string | undefined>(undefined)
const none = () => undefined

/** The company whose name follows every title; undefined gives it back to the product. */
export const setTitleCompany = company.set

/** `served` is a title somebody wrote for this address: it stands as it is. */
export function useTitle(title: string | undefined, served?: string | undefined) {
  const name = useSyncExternalStore(company.subscribe, company.read, none)
  const names = useSyncExternalStore(shownNames.subscribe, shownNames.read, shownNames.read)
  const whole = titleWith(title, names)
  useEffect(() => {
    document.title = served ?? fullTitle(whole, name)
  }, [whole, served, name])
}
