import { APPLICATION_STATE_LABELS, type ApplicationState } from '@voisol/contract/joining-labels'
import { expect, test } from 'vitest'
import type { Db } from '../../../db/client.ts'
import { type ApplicationRow, moveApplication } from './application-state.ts'

/** An application waits for a decision only once its address is proved, and a decision is final. */
const STEPS = [
  'draft verified',
  'draft withdrawn',
  'verified waiting',
  'verified withdrawn',
  'waiting accepted',
  'waiting refused',
  'waiting withdrawn',
]

const REACHED = new Error('the database was asked')
const db = {
  update: () => {
    throw REACHED
  },
} as unknown as Db // the only method that a transition calls
const states = Object.keys(APPLICATION_STATE_LABELS) as ApplicationState[] // keys of that table

test.each(states.flatMap((from) => states.map((to) => ({ from, to }))))(
  'the transition from $from to $to is allowed or refused as specified',
  async ({ from, to }) => {
    const step = moveApplication(db, { state: from } as ApplicationRow, to) // the only field read before the update
    await (STEPS.includes(`${from} ${to}`)
      ? expect(step).rejects.toBe(REACHED)
      : expect(step).rejects.toMatchObject({ code: 'conflict' }))
  },
)
