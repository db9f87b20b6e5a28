import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { CompanyId, Instant, OptionalEmail, OptionalText, Siren, Text, Version } from './primitives.ts'

/** Who must have a second factor in a company. */
export const SecondFactorRule = z.enum(['optional', 'office', 'everyone'])
export type SecondFactorRule = z.infer<typeof SecondFactorRule>

export const Company = z.object({
  id: z.int(),
  name: z.string(),
  legalName: z.string(),
  siren: z.string(),
  address: z.string(),
  email: z.string(),
  phone: z.string(),
  secondFactor: SecondFactorRule,
  trialEndsAt: Instant.nullable(),
  createdAt: Instant,
  version: z.int(),
})
export type Company = z.infer<typeof Company>

export const CompanyUpdate = z.strictObject({
  name: Text,
  legalName: OptionalText,
  siren: Siren,
  address: z.string().trim().max(500),
  email: OptionalEmail,
  phone: OptionalText,
  version: Version,
})

export const SecondFactorUpdate = z.strictObject({ secondFactor: SecondFactorRule, version: Version })

const params = z.object({ companyId: CompanyId })

export const companies = {
  get: defineEndpoint({
    method: 'GET',
    path: '/api/companies/:companyId',
    access: { permission: 'companies.read' },
    summary: 'Lire une organisation',
    params,
    response: Company,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/companies/:companyId',
    access: { permission: 'companies.write' },
    lapsed: true,
    summary: 'Modifier une organisation',
    params,
    body: CompanyUpdate,
    response: Company,
  }),
  /** Contact details that the organisation publishes to its clients, and nothing else of it. */
  contact: defineEndpoint({
    method: 'GET',
    path: '/api/organiser',
    access: { portal: true },
    block: 'contact',
    summary: 'Lire les coordonnées de l’organisateur',
    response: z.object({ name: z.string(), email: z.string(), phone: z.string() }),
  }),
  requireSecondFactor: defineEndpoint({
    method: 'PUT',
    path: '/api/companies/:companyId/second-factor',
    access: { permission: 'users.write' },
    summary: 'Demander la double authentification',
    params,
    body: SecondFactorUpdate,
    response: Company,
  }),
}
