import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Id, SuccessReply } from './primitives.ts'

/** From a new organisation to its first invoice, in the order in which each is needed. */
export const ONBOARDING_STEPS = [
  'operation',
  'participants',
  'points',
  'consents',
  'key',
  'curves',
  'run',
  'invoice',
] as const
export const OnboardingStep = z.object({
  step: z.enum(ONBOARDING_STEPS),
  done: z.boolean(),
  /** How many there are, and of how many where all are wanted. */
  count: z.int(),
  of: z.int().nullable(),
})
export type OnboardingStep = z.infer<typeof OnboardingStep>

const Example = z.object({
  companyId: z.int(),
  name: z.string(),
  /** Its figures are still being made. */
  filling: z.boolean(),
})

export const Onboarding = z.object({
  steps: z.array(OnboardingStep),
  /** The operation that the steps speak of: the one that has come farthest. */
  operationId: Id.nullable(),
  /** The example of this organisation, where there is one. */
  example: Example.nullable(),
  /** Where this is itself an example: whose. */
  exampleOf: z.object({ companyId: z.int(), name: z.string() }).nullable(),
})
export type Onboarding = z.infer<typeof Onboarding>

export const ONBOARDING_SAMPLES = ['participants', 'curves'] as const

export const onboarding = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/onboarding',
    access: { permission: 'operations.read' },
    summary: 'Où en est la mise en route',
    response: Onboarding,
  }),
  sample: defineEndpoint({
    method: 'GET',
    path: '/api/onboarding/samples',
    access: { permission: 'operations.read' },
    summary: 'Fichier d’exemple à importer',
    query: z.object({ name: z.enum(ONBOARDING_SAMPLES).default('participants') }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  startExample: defineEndpoint({
    method: 'POST',
    path: '/api/onboarding/example',
    access: { permission: 'companies.write' },
    summary: 'Essayer avec des données d’exemple',
    response: z.object({ companyId: z.int() }),
  }),
  removeExample: defineEndpoint({
    method: 'DELETE',
    path: '/api/onboarding/example',
    access: { permission: 'companies.write' },
    summary: 'Supprimer les données d’exemple',
    response: SuccessReply,
    timeout: 120,
  }),
}
