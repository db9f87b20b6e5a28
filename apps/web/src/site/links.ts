import { everybody } from '../screens/public.ts'
import { paths } from './paths.ts'

/** The screens behind the guard that pages of the site lead to: the whole table of them would weigh on every page. */
export const SCREENS_LED_TO = ['/billing', '/predictions', '/support'] as const

const forAll = everybody.filter((screen) => !('dev' in screen)).map(({ path }) => path)
const known = new Set<string>([...paths, ...forAll, ...SCREENS_LED_TO])

/** Whether an address of the site leads somewhere: what does not is not shown, so that no link is dead. */
export const exists = (href: string) => known.has(href.split(/[?#]/)[0] ?? '')

export const TRIAL = '/login?mode=register'
