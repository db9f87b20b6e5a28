import { type KeyDetail, keys } from '@voisol/contract/keys'
import { useState } from 'react'
import { withAccess } from '../../../lib/can.tsx'
import { formatPrm } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/explain.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { confirmFileImpact, type ImpactPreviewToken } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SummaryStrip } from '../../../ui/detail-screen.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Table } from '../../../ui/table.tsx'
import { formatNumericDay } from '../words.tsx'

type CoefficientReport = Awaited<ReturnType<ReturnType<typeof useAction<typeof keys.importCoefficients>>['run']>>
type PreviewedFile = { file: File; report: CoefficientReport }

const describeCoefficientDays = ({ coefficientDays: days }: KeyDetail) =>
  days
    ? `${formatCount(days.days, 'jour')} de coefficients, du ${formatNumericDay(days.from)} au ${formatNumericDay(days.to)} exclu.`
    : 'Aucun coefficient importé pour l’instant.'

function CoefficientPreview({ report }: { report: CoefficientReport }) {
  return (
    <div className="grid gap-3">
      <SummaryStrip
        facts={[
          { label: 'Producteur', value: report.producer ? formatPrm(report.producer) : 'Tous ensemble' },
          { label: 'Consommateurs reconnus', value: formatNumber(report.consumers) },
          {
            label: 'Jours',
            value:
              report.from && report.to
                ? `${formatNumericDay(report.from)} au ${formatNumericDay(report.to)} exclu`
                : 'Non lus',
          },
          { label: 'Lignes', value: formatNumber(report.steps) },
        ]}
      />
      {report.problems.length > 0 && (
        <Table
          label="Lignes refusées"
          rows={report.problems.map((problem, at) => ({ ...problem, id: `${problem.line}-${at}` }))}
          columns={[
            { header: 'Ligne', align: 'end', cell: ({ line }) => formatNumber(line) },
            { header: 'Ce qui ne va pas', cell: ({ message }) => message },
          ]}
        />
      )}
    </div>
  )
}

/** Files of coefficients step by step: read first, kept once they are right. */
export const CoefficientImport = withAccess(keys.importCoefficients, ({ detail }: { detail: KeyDetail }) => {
  const [chosen, setChosen] = useState<PreviewedFile | null>(null)
  const { run, isPending } = useAction(keys.importCoefficients, [keys.list, keys.get, keys.compare])
  const { id } = detail
  const send = (file: File, dryRun: 'true' | 'false', seen: ImpactPreviewToken = {}) =>
    run({ params: { id }, query: { name: file.name, dryRun, ...seen }, upload: file })
  const refuse = (error: unknown) =>
    toast({ title: 'Fichier non lu', description: explainError(error), variant: 'destructive' })
  const read = (file: File) => send(file, 'true').then((report) => setChosen({ file, report }), refuse)
  const keep = async ({ file }: PreviewedFile) => {
    const change = { kind: 'coefficients' as const, id, name: file.name }
    const seen = await confirmFileImpact(change, file, 'Importer ces coefficients').catch(refuse)
    const report = seen && (await send(file, 'false', seen).catch(refuse))
    if (!report) return
    setChosen(report.stored ? null : { file, report })
    if (report.stored) toast({ title: 'Coefficients importés', variant: 'success' })
  }
  const isRight = chosen !== null && chosen.report.problems.length === 0
  return (
    <Card title="Fichiers de coefficients" description={describeCoefficientDays(detail)}>
      <div className="grid gap-4 [&>*]:min-w-0">
        <FileDrop
          accept=".csv"
          label="Choisir un fichier CSV"
          disabled={isPending}
          hint={
            detail.method === 'complete'
              ? 'Un fichier par producteur, nommé par son PRM. Colonnes «\u00a0Horodate\u00a0» puis un PRM de consommateur par colonne.'
              : 'Colonnes «\u00a0Horodate\u00a0» puis un PRM de consommateur par colonne, valeurs en pour cent, séparées par des points-virgules.'
          }
          onFile={read}
        />
        {chosen && (
          <section aria-label={`Aperçu de ${chosen.file.name}`} className="grid gap-3">
            <h3 className="text-body font-semibold">{chosen.file.name}</h3>
            <CoefficientPreview report={chosen.report} />
            {!isRight && (
              <p className="text-body">
                Rien n’a été enregistré&nbsp;: corrigez le fichier, puis choisissez-le à nouveau.
              </p>
            )}
            <div className="flex flex-wrap gap-2">
              {isRight && (
                <Button loading={isPending} onClick={() => keep(chosen)}>
                  Importer ces coefficients
                </Button>
              )}
              <Button variant="secondary" onClick={() => setChosen(null)}>
                Abandonner
              </Button>
            </div>
          </section>
        )}
      </div>
    </Card>
  )
})
