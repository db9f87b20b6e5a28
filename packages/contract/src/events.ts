import type { z } from 'zod'
import { analyticsEvents } from './events-analytics.ts'
import { brandEvents } from './events-brand.ts'
import { cashEvents } from './events-cash.ts'
import { connectionEvents } from './events-connections.ts'
import { declarationEvents } from './events-declarations.ts'
import { distributorEvents } from './events-distributor.ts'
import { energyEvents } from './events-energy.ts'
import { exportEvents } from './events-exports.ts'
import { insightEvents } from './events-insights.ts'
import { installationEvents } from './events-installation.ts'
import { joiningEvents } from './events-joining.ts'
import { keyEvents } from './events-keys.ts'
import { moneyEvents } from './events-money.ts'
import { reportEvents } from './events-reports.ts'
import { siteEvents } from './events-site.ts'
import { subscriptionEvents } from './events-subscription.ts'
import { supportEvents } from './events-support.ts'

/**
 * The table of business events. A feature records what happened and does not call those concerned. Events are never
 * deleted: they contain only ids of people, so that erased personal data do not remain here.
 */
export const EVENTS = {
  ...energyEvents,
  ...distributorEvents,
  ...moneyEvents,
  ...cashEvents,
  ...declarationEvents,
  ...siteEvents,
  ...keyEvents,
  ...installationEvents,
  ...connectionEvents,
  ...insightEvents,
  ...exportEvents,
  ...reportEvents,
  ...analyticsEvents,
  ...supportEvents,
  ...brandEvents,
  ...joiningEvents,
  ...subscriptionEvents,
}

export type EventName = keyof typeof EVENTS
export type EventData<N extends EventName> = z.output<(typeof EVENTS)[N]['data']>

export const EVENT_NAMES = Object.keys(EVENTS) as EventName[] // Object.keys forgets them
export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name)

/** Events that other systems may subscribe to. */
export type OpenEventName = { [N in EventName]: (typeof EVENTS)[N]['webhook'] extends true ? N : never }[EventName]
export const isOpenEvent = (name: EventName): name is OpenEventName => EVENTS[name].webhook
