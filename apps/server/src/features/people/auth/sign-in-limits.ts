import type { Db } from '../../../db/client.ts'
import { networkOf } from '../../../http/network.ts'
import { clearThrottle, clearThrottles, forgive, throttle } from '../../../http/throttle.ts'
import type { Account } from './accounts.ts'
import { knownDevice } from './known-device.ts'
import { type Attempt, WINDOW } from './refusals.ts'

/** Somebody who mistypes; a network where one tries many accounts; an account that is tried from everywhere. */
const PER_PLACE = 5
const PER_NETWORK = 100
const PER_ACCOUNT = 50
/** Whoever tries codes has the password already: from wherever it is, and few are enough. */
const CODES = 10

const accountKey = (email: string) => `login account ${email}`
const placesOf = (email: string) => `${accountKey(email)} from `
const networkKey = (network: string) => `login network ${network}`
const codeKey = (email: string) => `login code ${email}`

/** Beyond its own limit an attempt was counted nowhere else. */
const counted = (attempts: number) => Math.min(attempts, PER_PLACE)

type Rule = { key: string; limit: number }
/** What an attempt counts against: the first is its own, the others it shares. */
type Rules = { own: Rule; shared: Rule[]; code: Rule }

/** A device known to the account answers for itself alone: what others try elsewhere does not keep it out. */
function rulesOf(email: string, network: string, device: string | undefined): Rules {
  if (device)
    return {
      own: { key: `login device ${device}`, limit: PER_PLACE },
      shared: [],
      code: { key: `login code device ${device}`, limit: PER_PLACE },
    }
  return {
    own: { key: placesOf(email) + network, limit: PER_PLACE },
    shared: [
      { key: accountKey(email), limit: PER_ACCOUNT },
      { key: networkKey(network), limit: PER_NETWORK },
    ],
    code: { key: codeKey(email), limit: CODES },
  }
}

/** Counts a sign-in before anything is looked at, and refuses it beyond the limits. A right one is taken back. */
export async function countSignIn({ aside, secrets, request }: Attempt, email: string, user: Account | undefined) {
  const { own, shared, code } = rulesOf(email, networkOf(request.ip), knownDevice(secrets, request, user))
  const count = ({ key, limit }: Rule) => throttle(aside, key, limit, WINDOW)
  const takeBack = async (attempts?: number) => {
    for (const { key } of shared) await forgive(aside, key, attempts)
  }
  for (const rule of [own, ...shared]) await count(rule)
  return {
    /** Right as far as it went: neither wrong nor done. */
    async forgive() {
      await forgive(aside, own.key)
      await takeBack()
    },
    /** Whoever got in had only mistyped. */
    async clear() {
      await takeBack(counted(await clearThrottle(aside, own.key)))
    },
    countCode: () => count(code),
    forgiveCode: () => forgive(aside, code.key),
  }
}

/** All that was counted against an account, and what it counted against the networks it was tried from. */
export async function forgetAttempts(aside: Db, email: string) {
  const places = placesOf(email)
  for (const { key, count } of await clearThrottles(aside, places))
    await forgive(aside, networkKey(key.slice(places.length)), counted(count))
  await clearThrottle(aside, accountKey(email))
  await clearThrottle(aside, codeKey(email))
}
