import { useQuery } from '@tanstack/react-query'
import { type ReportTemplate, reports } from '@voisol/contract/reports'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Can } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { cx } from '../../ui/cx.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ReportBuilder } from './compose.tsx'
import { ReportThumbnail } from './thumbnail.tsx'

const EditTemplateDialog = lazy(() => import('./template-dialog.tsx'))
type Props = { template: ReportTemplate }

const CopyTemplateButton = ({ template: { ref, name } }: Props) => {
  const copy = useAction(reports.createTemplate, [reports.templates])
  const copyName = `${name}, le nôtre`
  const run = () =>
    copy.run({ body: { preset: ref, name: copyName } }).then(
      () =>
        toast({
          title: 'Modèle copié',
          description: `«\u00a0${copyName}\u00a0» peut être modifié.`,
          variant: 'success',
        }),
      (error: unknown) =>
        toast({ title: 'Modèle non copié', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button
      variant="quiet"
      size="small"
      loading={copy.isPending}
      aria-label={`Copier ${name} pour le modifier`}
      onClick={() => void run()}
    >
      Copier
    </Button>
  )
}

function OwnTemplateActions({ template }: Props) {
  const { ref, name } = template
  const remove = useAction(reports.removeTemplate, [reports.templates])
  const [panel, setPanel] = useState<'edit' | 'remove'>()
  const close = () => setPanel(undefined)
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`Modifier ${name}`} onClick={() => setPanel('edit')}>
        Modifier
      </Button>
      <Button variant="quiet" size="small" aria-label={`Retirer ${name}`} onClick={() => setPanel('remove')}>
        Retirer
      </Button>
      <Suspense fallback={null}>
        {panel === 'edit' && <EditTemplateDialog template={template} onClose={close} />}
      </Suspense>
      {panel === 'remove' && (
        <Confirm
          open
          onOpenChange={close}
          title={`Retirer «\u00a0${name}\u00a0»\u00a0?`}
          description="Les rapports déjà établis d’après ce modèle restent."
          action="Retirer le modèle"
          onConfirm={() => remove.run({ params: { id: ref } })}
        />
      )}
    </>
  )
}

function TemplateCard({ template, chosen, onChoose }: Props & { chosen: boolean; onChoose: () => void }) {
  const { name, purpose, blocks, version } = template
  return (
    <li className={cx(cardClass, 'flex gap-4 p-4', chosen && 'outline-2 -outline-offset-1 outline-primary')}>
      <ReportThumbnail blocks={blocks} />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-[0.8125rem] text-ink-soft">{purpose}</p>
        <div className="mt-auto flex flex-wrap gap-1">
          <Button
            variant="secondary"
            size="small"
            aria-pressed={chosen}
            aria-label={`Choisir ${name}`}
            onClick={onChoose}
          >
            {chosen ? 'Choisi' : 'Choisir'}
          </Button>
          <Can call={reports.createTemplate}>
            <CopyTemplateButton template={template} />
          </Can>
          {version > 0 && (
            <Can call={reports.updateTemplate}>
              <OwnTemplateActions template={template} />
            </Can>
          )}
        </div>
      </div>
    </li>
  )
}

/** The templates with their page in small, and what the chosen one is made of and of whom. */
export default function ReportTemplates() {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(reports.templates, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ ref }) => ref === search.get('modele')) ?? data.items[0]
  const choose = (ref: string) =>
    setSearch((old) => {
      old.set('modele', ref)
      return old
    })
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <section aria-labelledby="report-templates">
        <h2 id="report-templates" className="sr-only">
          Modèles
        </h2>
        <ul className="grid gap-4 md:grid-cols-2 md:max-2xl:[&>:last-child:nth-child(odd)]:col-span-2 2xl:grid-cols-3">
          {data.items.map((template) => (
            <TemplateCard
              key={template.ref}
              template={template}
              chosen={template === chosen}
              onChoose={() => choose(template.ref)}
            />
          ))}
        </ul>
      </section>
      {chosen && <ReportBuilder key={chosen.ref} template={chosen} />}
    </div>
  )
}
