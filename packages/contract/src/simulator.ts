import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'

export const SimulatorProject = z.enum(['copropriete', 'zac', 'tertiaire', 'industriel'])
export type SimulatorProject = z.infer<typeof SimulatorProject>
export const SimulatorPlace = z.enum([
  'ile-de-france',
  'auvergne-rhone-alpes',
  'occitanie',
  'nouvelle-aquitaine',
  'paca',
  'autre',
])
export type SimulatorPlace = z.infer<typeof SimulatorPlace>
export const SimulatorBuilding = z.enum(['neuf', 'renovation', 'existant'])
export type SimulatorBuilding = z.infer<typeof SimulatorBuilding>

const buildOptionalChoice = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]).default('')
/** Missing numbers count as nothing. */
const buildOptionalAmount = (max: number) => z.number().min(0).max(max).default(0)

/** The names are those of the documented API. */
export const SimulationInput = z.strictObject({
  projectType: buildOptionalChoice(SimulatorProject),
  location: buildOptionalChoice(SimulatorPlace),
  nbLogements: buildOptionalAmount(100_000),
  puissanceInstallee: buildOptionalAmount(1_000_000),
  consommationAnnuelle: buildOptionalAmount(10_000_000_000),
  typeBatiment: buildOptionalChoice(SimulatorBuilding),
})
export type SimulationInput = z.infer<typeof SimulationInput>

const result = z.number().nullable().optional()
/** What a browser sends beside the inputs is not heard: the results are computed again. */
const SimulationData = SimulationInput.extend({
  productionAnnuelle: result,
  tauxAutoconsommation: result,
  economiesAnnuelles: result,
  investissementNet: result,
  roi: result,
  co2Evite: result,
})

/** The same project through an hourly balance of a year. */
export const HourlyEstimate = z.object({
  productionAnnuelle: z.number(),
  kwhPerKwc: z.number(),
  energieAutoconsommee: z.number(),
  surplus: z.number(),
  /** Percent of the production used on the spot. */
  tauxAutoconsommation: z.number(),
  /** Percent of the consumption covered. */
  tauxAutoproduction: z.number(),
  economiesAnnuelles: z.number(),
  roi: z.number().nullable(),
  co2Evite: z.number(),
  /** kWh by month, January first. */
  months: z.array(z.object({ production: z.number(), autoconsommation: z.number(), consommation: z.number() })),
  /** Mean power in kW by hour of the day, of June and of December. */
  days: z.array(
    z.object({ label: z.string(), hours: z.array(z.object({ production: z.number(), consommation: z.number() })) }),
  ),
  /** Why it differs from the quick formula, in words. */
  differences: z.array(z.string()),
})
export type HourlyEstimate = z.infer<typeof HourlyEstimate>

export const simulator = {
  refine: defineEndpoint({
    method: 'POST',
    path: '/api/simulator/refine',
    access: 'public',
    summary: 'Affiner une simulation avec un profil horaire',
    body: SimulationInput,
    response: HourlyEstimate,
    audit: 'none',
  }),
  report: defineEndpoint({
    method: 'POST',
    path: '/api/pdf/generate-simulation-report',
    access: 'public',
    summary: 'Produire le rapport d’une simulation',
    body: z.strictObject({ simulationData: SimulationData }),
    response: { file: 'application/pdf' },
    audit: 'none',
  }),
}
