import type { SimulationInput, SimulatorBuilding, SimulatorProject } from '@voisol/contract/simulator'
import type { SimulationReport } from '@voisol/documents/pdf/simulation-data'
import { simulateProject } from '@voisol/energy/simulator'
import { estimateHourly, SIMULATOR_PLACES, STANDARD_ROOF, toSimulationCase } from './hourly-estimate.ts'

const NOT_SPECIFIED = 'Non précisé'

const SIMULATOR_PROJECT_LABELS: Record<SimulatorProject, string> = {
  copropriete: 'Copropriété résidentielle',
  zac: 'ZAC / Éco-quartier',
  tertiaire: 'Tertiaire',
  industriel: 'Site industriel',
}

const SIMULATOR_BUILDING_LABELS: Record<SimulatorBuilding, string> = {
  neuf: 'Neuf',
  renovation: 'Rénovation',
  existant: 'Existant',
}

/** Everything is computed from the inputs; results sent along are not looked at. */
export async function buildSimulationReport(sent: SimulationInput): Promise<SimulationReport> {
  const { projectType, location, nbLogements, puissanceInstallee, consommationAnnuelle, typeBatiment } = sent
  const input = { projectType, location, nbLogements, puissanceInstallee, consommationAnnuelle, typeBatiment }
  const which = toSimulationCase(input)
  return {
    createdAt: new Date(),
    project: projectType ? SIMULATOR_PROJECT_LABELS[projectType] : NOT_SPECIFIED,
    place: location ? SIMULATOR_PLACES[location].label : NOT_SPECIFIED,
    building: typeBatiment ? SIMULATOR_BUILDING_LABELS[typeBatiment] : NOT_SPECIFIED,
    homes: nbLogements,
    power: puissanceInstallee,
    consumption: consommationAnnuelle,
    quick: simulateProject(input),
    hourly: { ...(await estimateHourly(input)), city: SIMULATOR_PLACES[which.place].city, tilt: STANDARD_ROOF.tilt },
  }
}
