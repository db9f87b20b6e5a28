import { simulator } from '@voisol/contract/simulator'
import type { SimulatorResult } from '@voisol/energy/simulator'
import { download } from '../../lib/call.ts'
import type { SimulatorInputs } from './fields.ts'

/** The report of an estimate, saved by the browser; a failure is told as the specification words it. */
export async function downloadSimulationReport(inputs: SimulatorInputs, result: SimulatorResult) {
  const { productionAnnuelle, tauxAutoconsommation, economiesAnnuelles, investissementNet, roi, co2Evite } = result
  const results = { productionAnnuelle, tauxAutoconsommation, economiesAnnuelles, investissementNet, roi, co2Evite }
  try {
    await download(simulator.report, { body: { simulationData: { ...inputs, ...results } } })
  } catch {
    window.alert('Erreur lors de la génération du rapport PDF')
  }
}
