import { useQuery } from '@tanstack/react-query'
import { type KeyDetail, keys } from '@voisol/contract/keys'
import Lock from 'lucide-react/icons/lock'
import { Can, useCan } from '../../../lib/can.tsx'
import { lookFirst } from '../../../lib/look-first.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Findings } from '../../../ui/findings.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Members } from '../use-members.ts'
import { AdoptButton, CopyLink, RemoveButton } from './actions.tsx'
import { CHANGED } from './changes.ts'
import { Coefficients } from './coefficients.tsx'
import { type Draft, Editor } from './editor.tsx'
import { formOf, takesFiles } from './form.ts'
import { KeyMarks, spanWords } from './state.tsx'

function Notice({ detail }: { detail: KeyDetail }) {
  const writes = useCan()(keys.update)
  return detail.locked ? (
    <p className="mb-5 flex items-start gap-2 rounded-card bg-warning-soft p-3 text-body text-warning">
      <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      Un calcul définitif s’appuie sur cette version&nbsp;: elle ne change plus.
      {writes && ' Pour modifier la répartition, copiez-la dans une nouvelle version applicable à la date voulue.'}
    </p>
  ) : detail.status === 'adopted' ? (
    <p className="mb-5 rounded-card bg-primary-soft p-3 text-body">
      Cette version est adoptée.
      {writes && ' L’enregistrer à nouveau refait les calculs provisoires de ses jours.'}
    </p>
  ) : null
}

const fine = ({ status }: KeyDetail) =>
  status === 'draft'
    ? 'Rien ne s’oppose à l’adoption de cette version.'
    : 'Cette version convient à tous les participants de ses jours.'

type CardProps = { detail: KeyDetail; members: Members }
const cannotSave = async () => {}

function ChangingCard(props: CardProps) {
  const { detail } = props
  const { run } = useAction(keys.update, CHANGED)
  const save = async (draft: Draft) => {
    const { id, version } = detail
    const body = { ...draft, version }
    const seen = await lookFirst({ kind: 'key', id, body }, 'Enregistrer la clé')
    if (!seen) return
    await run({ params: { id }, body: { ...body, ...seen } })
    toast({ title: `Version ${detail.number} enregistrée`, variant: 'success' })
  }
  return <VersionCard {...props} save={save} />
}

function VersionCard({ detail, members, save }: CardProps & { save?: (draft: Draft) => Promise<void> }) {
  const isDraft = detail.status === 'draft'
  return (
    <Card
      title={`Version ${detail.number}`}
      description={`Applicable ${spanWords(detail)}`}
      actions={
        <>
          <KeyMarks version={detail} />
          <CopyLink id={detail.id} />
        </>
      }
    >
      <Notice detail={detail} />
      <div className="mb-6">
        <Findings findings={detail.problems.map((problem) => ({ ...problem, rule: '' }))} fine={fine(detail)} />
      </div>
      <Editor
        key={`${detail.id} ${detail.version}`}
        operationId={detail.operationId}
        members={members}
        start={formOf(detail)}
        locked={detail.locked || !save}
        action="Enregistrer les modifications"
        onSave={save ?? cannotSave}
        more={(changed) =>
          isDraft && (
            <>
              <AdoptButton detail={detail} changed={changed} />
              <RemoveButton detail={detail} />
              {changed && (
                <span className="text-[0.8125rem] text-ink-soft">Enregistrez avant d’adopter la version.</span>
              )}
            </>
          )
        }
      />
      {isDraft && !save && (
        <div className="mt-6">
          <AdoptButton detail={detail} changed={false} />
        </div>
      )}
    </Card>
  )
}

/** One version: what it says, what is wrong with it, and what can be done. */
export function Version({ id, members }: { id: string; members: Members }) {
  const { data, error, refetch } = useQuery(query(keys.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <Can call={keys.update} otherwise={<VersionCard detail={data} members={members} />}>
        <ChangingCard detail={data} members={members} />
      </Can>
      {takesFiles(data.method) && !data.locked && <Coefficients key={data.id} detail={data} />}
    </div>
  )
}
