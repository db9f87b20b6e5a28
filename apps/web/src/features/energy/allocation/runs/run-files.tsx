import { useQuery } from '@tanstack/react-query'
import { allocations, type Run } from '@voisol/contract/allocations'
import Download from 'lucide-react/icons/download'
import { useId, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { ExportMenu, toTableFormat } from '../../../../components/export-menu.tsx'
import { FieldFrame, Select } from '../../../../components/input.tsx'
import { download } from '../../../../lib/call.ts'
import { formatPointName, formatPrm } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { query } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'

const EXPORT_LEVELS = {
  points: { label: 'Par point', hint: 'Totaux et classes temporelles de chaque compteur.' },
  days: { label: 'Par jour', hint: 'Production, partage et surplus de chaque journée.' },
  pairs: { label: 'Par paire', hint: 'De chaque producteur à chaque consommateur.' },
  steps: { label: 'Par pas de temps', hint: 'Tous les instants de tous les points\u00a0: un fichier volumineux.' },
} as const
type ExportLevel = keyof typeof EXPORT_LEVELS
const isExportLevel = (name: string): name is ExportLevel => name in EXPORT_LEVELS

const DECIMAL_OPTIONS = ['0', '1', '2', '3', '4'].map((value) => ({ value, label: value }))

/** One file per producer, as the distributor takes it. */
function CoefficientFiles({ runId }: { runId: string }) {
  const id = useId()
  const [decimals, setDecimals] = useState('1')
  const { data } = useQuery(query(allocations.points, { params: { id: runId } }))
  const producers = data?.items.filter(({ direction }) => direction === 'production') ?? []
  const downloadCoefficients = (producerId: string) =>
    download(allocations.coefficients, {
      params: { id: runId, producerId },
      query: { decimals: Number(decimals) },
    }).catch((error: unknown) =>
      toast({ title: 'Fichier non produit', description: explainError(error), variant: 'destructive' }),
    )
  if (producers.length === 0) return null
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <div>
        <h3 className="text-body font-medium">Coefficients pour le gestionnaire de réseau</h3>
        <p className="text-[0.8125rem] text-ink-soft">
          Un fichier par producteur&nbsp;: la part de chaque consommateur, instant par instant.
        </p>
      </div>
      <div className="max-w-52">
        <FieldFrame id={id} label="Décimales">
          <Select
            id={id}
            options={DECIMAL_OPTIONS}
            value={decimals}
            onChange={(event) => setDecimals(event.target.value)}
          />
        </FieldFrame>
      </div>
      <ul className="grid gap-2">
        {producers.map(({ pointId, label, prm: digits }) => (
          <li key={pointId} className="flex flex-wrap items-center justify-between gap-2 text-body">
            <span className="min-w-0">
              {label || 'Producteur'} <span className="tabular text-ink-soft">{formatPrm(digits)}</span>
            </span>
            <Button
              variant="secondary"
              size="small"
              icon={<Download aria-hidden="true" />}
              aria-label={`Télécharger les coefficients de ${formatPointName({ label, prm: digits })}`}
              onClick={() => void downloadCoefficients(pointId)}
            >
              Télécharger
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Everything the run holds, to take away. */
export const FilesCard = ({ run }: { run: Run }) => (
  <Card title="Fichiers" description="Le résultat complet de ce calcul, et non de la seule période affichée.">
    <div className="grid gap-4">
      <ul className="grid gap-3">
        {Object.entries(EXPORT_LEVELS).map(([level, { label, hint }]) => (
          <li key={level} className="flex flex-wrap items-center justify-between gap-2 sm:flex-nowrap">
            <span className="min-w-0 text-body">
              <span className="font-medium">{label}</span>
              <span className="block text-[0.8125rem] text-ink-soft">{hint}</span>
            </span>
            <span className="shrink-0">
              <ExportMenu
                endpoint={allocations.export}
                label={`Exporter ${label.toLowerCase()}`}
                input={(format) => ({
                  params: { id: run.id },
                  query: { level: isExportLevel(level) ? level : 'points', format: toTableFormat(format) },
                })}
              />
            </span>
          </li>
        ))}
      </ul>
      <CoefficientFiles runId={run.id} />
    </div>
  </Card>
)
