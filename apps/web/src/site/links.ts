import { publicScreens } from '../app/screens/public.ts'
import { paths } from './paths.ts'

/** The screens behind the guard that pages of the site lead to: the whole table of them would weigh on every page. */
export const LINKED_SCREENS = ['/billing', '/predictions', '/support'] as const

const publicPaths = publicScreens.filter((screen) => !('dev' in screen)).map(({ path }) => path)
const knownPaths = new Set<string>([...paths, ...publicPaths, ...LINKED_SCREENS])

/** Whether an address of the site leads somewhere: what does not is not shown, so that no link is dead. */
export const isKnownPath = (href: string) => knownPaths.has(href.split(/[?#]/)[0] ?? '')

export const TRIAL_PATH = '/login?mode=register'
