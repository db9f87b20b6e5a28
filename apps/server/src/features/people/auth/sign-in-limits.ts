import type { Db } from '../../../db/client.ts'
import { getClientNetwork } from '../../../http/network.ts'
import { clearThrottle, clearThrottles, refundAttempts, throttle } from '../../../http/throttle.ts'
import type { UserAccount } from './accounts.ts'
import { findKnownDevice } from './known-device.ts'
import { ATTEMPT_WINDOW_SECONDS, type SignInAttempt } from './refusals.ts'

/** Somebody who mistypes; a network where one tries many accounts; an account that is tried from everywhere. */
const MAX_ATTEMPTS_PER_SOURCE = 5
const MAX_ATTEMPTS_PER_NETWORK = 100
const MAX_ATTEMPTS_PER_ACCOUNT = 50
/** Whoever tries codes has the password already: from wherever it is, and few are enough. */
const MAX_CODE_ATTEMPTS = 10

const getAccountKey = (email: string) => `login account ${email}`
const getSourceKeyPrefix = (email: string) => `${getAccountKey(email)} from `
const getNetworkKey = (network: string) => `login network ${network}`
const getCodeKey = (email: string) => `login code ${email}`

/** Beyond its own limit an attempt was counted nowhere else. */
const capAttempts = (attempts: number) => Math.min(attempts, MAX_ATTEMPTS_PER_SOURCE)

type LimitRule = { key: string; limit: number }
/** What an attempt counts against: the first is its own, the others it shares. */
type LimitRules = { own: LimitRule; shared: LimitRule[]; code: LimitRule }

/** A device known to the account answers for itself alone: what others try elsewhere does not keep it out. */
function buildLimitRules(email: string, network: string, device: string | undefined): LimitRules {
  if (device)
    return {
      own: { key: `login device ${device}`, limit: MAX_ATTEMPTS_PER_SOURCE },
      shared: [],
      code: { key: `login code device ${device}`, limit: MAX_ATTEMPTS_PER_SOURCE },
    }
  return {
    own: { key: getSourceKeyPrefix(email) + network, limit: MAX_ATTEMPTS_PER_SOURCE },
    shared: [
      { key: getAccountKey(email), limit: MAX_ATTEMPTS_PER_ACCOUNT },
      { key: getNetworkKey(network), limit: MAX_ATTEMPTS_PER_NETWORK },
    ],
    code: { key: getCodeKey(email), limit: MAX_CODE_ATTEMPTS },
  }
}

/** Counts a sign-in before anything is looked at, and refuses it beyond the limits. A right one is taken back. */
export async function countSignInAttempt(
  { aside, secrets, request }: SignInAttempt,
  email: string,
  user: UserAccount | undefined,
) {
  const { own, shared, code } = buildLimitRules(
    email,
    getClientNetwork(request.ip),
    findKnownDevice(secrets, request, user),
  )
  const count = ({ key, limit }: LimitRule) => throttle(aside, key, limit, ATTEMPT_WINDOW_SECONDS)
  const forgiveShared = async (attempts?: number) => {
    for (const { key } of shared) await refundAttempts(aside, key, attempts)
  }
  for (const rule of [own, ...shared]) await count(rule)
  return {
    /** Right as far as it went: neither wrong nor done. */
    async forgive() {
      await refundAttempts(aside, own.key)
      await forgiveShared()
    },
    /** Whoever got in had only mistyped. */
    async clear() {
      await forgiveShared(capAttempts(await clearThrottle(aside, own.key)))
    },
    countCode: () => count(code),
    forgiveCode: () => refundAttempts(aside, code.key),
  }
}

/** All that was counted against an account, and what it counted against the networks it was tried from. */
export async function clearSignInAttempts(aside: Db, email: string) {
  const sourceKeyPrefix = getSourceKeyPrefix(email)
  for (const { key, count } of await clearThrottles(aside, sourceKeyPrefix))
    await refundAttempts(aside, getNetworkKey(key.slice(sourceKeyPrefix.length)), capAttempts(count))
  await clearThrottle(aside, getAccountKey(email))
  await clearThrottle(aside, getCodeKey(email))
}
