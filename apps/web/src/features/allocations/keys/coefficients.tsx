import { type KeyDetail, keys } from '@voisol/contract/keys'
import { useState } from 'react'
import { only } from '../../../lib/can.tsx'
import { prm } from '../../../lib/energy-labels.ts'
import { explain } from '../../../lib/explain.ts'
import { number, plural } from '../../../lib/format.ts'
import { lookAtFile, type Seen } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SummaryStrip } from '../../../ui/detail-screen.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Table } from '../../../ui/table.tsx'
import { shortDate } from '../words.tsx'

type Report = Awaited<ReturnType<ReturnType<typeof useAction<typeof keys.importCoefficients>>['run']>>
type Chosen = { file: File; report: Report }

const known = ({ coefficientDays: days }: KeyDetail) =>
  days
    ? `${plural(days.days, 'jour')} de coefficients, du ${shortDate(days.from)} au ${shortDate(days.to)} exclu.`
    : 'Aucun coefficient importé pour l’instant.'

function Preview({ report }: { report: Report }) {
  return (
    <div className="grid gap-3">
      <SummaryStrip
        facts={[
          { label: 'Producteur', value: report.producer ? prm(report.producer) : 'Tous ensemble' },
          { label: 'Consommateurs reconnus', value: number(report.consumers) },
          {
            label: 'Jours',
            value: report.from && report.to ? `${shortDate(report.from)} au ${shortDate(report.to)} exclu` : 'Non lus',
          },
          { label: 'Lignes', value: number(report.steps) },
        ]}
      />
      {report.problems.length > 0 && (
        <Table
          label="Lignes refusées"
          rows={report.problems.map((problem, at) => ({ ...problem, id: `${problem.line}-${at}` }))}
          columns={[
            { header: 'Ligne', align: 'end', cell: ({ line }) => number(line) },
            { header: 'Ce qui ne va pas', cell: ({ message }) => message },
          ]}
        />
      )}
    </div>
  )
}

/** Files of coefficients step by step: read first, kept once they are right. */
export const Coefficients = only(keys.importCoefficients, ({ detail }: { detail: KeyDetail }) => {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { run, isPending } = useAction(keys.importCoefficients, [keys.list, keys.get, keys.compare])
  const { id } = detail
  const send = (file: File, dryRun: 'true' | 'false', seen: Seen = {}) =>
    run({ params: { id }, query: { name: file.name, dryRun, ...seen }, upload: file })
  const refuse = (error: unknown) =>
    toast({ title: 'Fichier non lu', description: explain(error), variant: 'destructive' })
  const read = (file: File) => send(file, 'true').then((report) => setChosen({ file, report }), refuse)
  const keep = async ({ file }: Chosen) => {
    const change = { kind: 'coefficients' as const, id, name: file.name }
    const seen = await lookAtFile(change, file, 'Importer ces coefficients').catch(refuse)
    const report = seen && (await send(file, 'false', seen).catch(refuse))
    if (!report) return
    setChosen(report.stored ? null : { file, report })
    if (report.stored) toast({ title: 'Coefficients importés', variant: 'success' })
  }
  const isRight = chosen !== null && chosen.report.problems.length === 0
  return (
    <Card title="Fichiers de coefficients" description={known(detail)}>
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
            <Preview report={chosen.report} />
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
