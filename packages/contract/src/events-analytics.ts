import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { Cents } from './money.ts'
import { AmountFrequency, AmountKind } from './plants.ts'
import { Day, Id } from './primitives.ts'

const AMOUNT = '8b4f1d72-6e03-4c95-a7d1-2f9e0c5b3a68'
const POINT = '3f7d9a52-c4b1-4d83-9e6f-0a8b7c2d1e39'
const VIEW = 'd1c7a940-58e2-4b36-9f0d-7e3b6a2c8f15'
const USER = '5d0c8f3e-17b2-4e69-a4d8-90e2c6b1f735'

const amount = z.object({
  amountId: Id,
  pointId: Id,
  kind: AmountKind,
  amount: Cents,
  every: AmountFrequency,
  startsOn: Day,
  endsOn: Day.nullable(),
})
const amountSample = {
  amountId: AMOUNT,
  pointId: POINT,
  kind: 'insurance' as const,
  amount: 42_000,
  every: 'year' as const,
  startsOn: '2026-01-01',
  endsOn: null,
}

/** The content is not included, since it may name people. */
const view = z.object({ viewId: Id, userId: Id, shared: z.boolean() })
const viewSample = { viewId: VIEW, userId: USER, shared: true }

/** User-maintained data beside the figures: costs and income of plants, and saved views of analyses. */
export const analyticsEvents = {
  'plant.amount-added': defineOpenEvent({
    label: 'Montant d’une installation ajouté',
    data: amount,
    sample: amountSample,
  }),
  'plant.amount-changed': defineOpenEvent({
    label: 'Montant d’une installation modifié',
    data: amount,
    sample: amountSample,
  }),
  'plant.amount-removed': defineOpenEvent({
    label: 'Montant d’une installation retiré',
    data: amount,
    sample: amountSample,
  }),
  'view.saved': defineEvent({ label: 'Vue d’analyse enregistrée', data: view, sample: viewSample }),
  'view.changed': defineEvent({ label: 'Vue d’analyse modifiée', data: view, sample: viewSample }),
  'view.removed': defineEvent({ label: 'Vue d’analyse retirée', data: view, sample: viewSample }),
}
