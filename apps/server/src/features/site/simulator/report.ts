import type { SimulationInput } from '@voisol/contract/simulator'
import { simulate } from '@voisol/energy/simulator'
import type { SimulationReport } from '../../../pdf/simulation-data.ts'
import { hourlyEstimate } from './hourly.ts'
import { BUILDINGS, caseOf, PLACES, PROJECTS, ROOF } from './mixes.ts'

const UNSAID = 'Non précisé'

/** Everything is computed from the inputs; results sent along are not looked at. */
export async function reportData(sent: SimulationInput): Promise<SimulationReport> {
  const { projectType, location, nbLogements, puissanceInstallee, consommationAnnuelle, typeBatiment } = sent
  const input = { projectType, location, nbLogements, puissanceInstallee, consommationAnnuelle, typeBatiment }
  const which = caseOf(input)
  return {
    createdAt: new Date(),
    project: projectType ? PROJECTS[projectType] : UNSAID,
    place: location ? PLACES[location].label : UNSAID,
    building: typeBatiment ? BUILDINGS[typeBatiment] : UNSAID,
    homes: nbLogements,
    power: puissanceInstallee,
    consumption: consommationAnnuelle,
    quick: simulate(input),
    hourly: { ...(await hourlyEstimate(input)), city: PLACES[which.place].city, tilt: ROOF.tilt },
  }
}
