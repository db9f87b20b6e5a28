import { SIMULATOR_CONSTANTS, type SimulatorResult, simulateProject } from '@voisol/energy/simulator'
import FileDown from 'lucide-react/icons/file-down'
import { useRef, useState } from 'react'
import { formatPrice } from '../../lib/price.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EMPTY_VALUES, type SimulatorInputs, toSimulatorInputs } from './fields.ts'
import { Projection } from './projection.tsx'
import { HourlyEstimatePanel } from './refined.tsx'
import { downloadSimulationReport } from './report.ts'
import { SimulatorResults } from './results.tsx'
import { SimulatorForm } from './simulator-form.tsx'

/** Prices of energy are told in one unit, wherever they stand. */
const SAVED_PRICE = formatPrice(Math.round(SIMULATOR_CONSTANTS.eurosPerKwh * 10_000))
const ESTIMATE_NOTE = `Estimation indicative\u00a0: 1\u202f100\u00a0kWh par kWc et par an, ${SAVED_PRICE} autoconsommé, 1\u202f200\u00a0€ par kWc installé, aides estimées à 30\u00a0% de l’investissement dans la limite de 50\u202f000\u00a0€, 0,221\u00a0kg de CO₂ évité par kWh.`

type Estimate = { inputs: SimulatorInputs; result: SimulatorResult }

function EstimatePanel({ inputs, result }: Estimate) {
  const [busy, setBusy] = useState(false)
  const report = async () => {
    setBusy(true)
    await downloadSimulationReport(inputs, result)
    setBusy(false)
  }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <SimulatorResults result={result} />
      <Projection result={result} />
      <p className="text-[0.875rem] text-ink-soft">{ESTIMATE_NOTE}</p>
      <Button
        variant="secondary"
        className="justify-self-start"
        icon={<FileDown aria-hidden="true" />}
        loading={busy}
        onClick={() => void report()}
      >
        Télécharger le rapport PDF
      </Button>
      <HourlyEstimatePanel key={JSON.stringify(inputs)} inputs={inputs} quick={result} />
    </div>
  )
}

/** What a project may give, in three minutes. */
export function SimulatorDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState(EMPTY_VALUES)
  const [estimate, setEstimate] = useState<Estimate | null>(null)
  const panel = useRef<HTMLElement>(null)
  const calculate = () => {
    const inputs = toSimulatorInputs(typed)
    setEstimate({ inputs, result: simulateProject(inputs) })
    requestAnimationFrame(() => panel.current?.focus())
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(now) => !now && onClose()}
      width={estimate ? 'full' : 'medium'}
      title="Simuler mon projet"
      description="Production, économies et retour sur investissement&nbsp;: une estimation en 3 minutes, sur 20 ans."
    >
      <div className={estimate ? 'grid gap-8 lg:grid-cols-[18rem_minmax(0,1fr)]' : undefined}>
        <SimulatorForm
          typed={typed}
          change={(more) => setTyped((old) => ({ ...old, ...more }))}
          onCalculate={calculate}
        />
        {estimate && (
          <section ref={panel} tabIndex={-1} aria-label="Résultats de la simulation" className="min-w-0 outline-none">
            <EstimatePanel {...estimate} />
          </section>
        )}
      </div>
    </Dialog>
  )
}
