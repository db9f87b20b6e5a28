import { allScreens } from '../screens.ts'
import { paths } from './paths.ts'

const known = new Set<string>([...paths, ...allScreens.filter((screen) => !screen.dev).map(({ path }) => path)])

/** Whether an address of the site leads somewhere: what does not is not shown, so that no link is dead. */
export const exists = (href: string) => known.has(href.split(/[?#]/)[0] ?? '')

export const TRIAL = '/login?mode=register'

/** The first of these addresses that exists: a page of its own, or else the part of another page that says it. */
export const firstOf = (...hrefs: [string, ...string[]]) => hrefs.find(exists) ?? hrefs[0]
