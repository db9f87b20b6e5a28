import { useQuery } from '@tanstack/react-query'
import { type CannedReply, NewCannedReply, supportDesk } from '@voisol/contract/support-agents'
import { REPLY_FIELDS } from '@voisol/contract/support-labels'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { DESK_LABELS } from './labels.ts'

const ReplyFieldList = () => (
  <dl className="grid gap-x-6 gap-y-1 text-[0.8125rem] sm:grid-cols-2">
    {Object.entries(REPLY_FIELDS).map(([name, says]) => (
      <div key={name} className="flex gap-2">
        <dt>
          <code>{`{{${name}}}`}</code>
        </dt>
        <dd className="text-ink-soft">{says}</dd>
      </div>
    ))}
  </dl>
)

function CannedReplyForm({ reply, onDone }: { reply?: CannedReply | undefined; onDone: () => void }) {
  const add = useAction(supportDesk.addCanned, [supportDesk.canned])
  const update = useAction(supportDesk.updateCanned, [supportDesk.canned])
  const isOperator = useCan()('support.keep')
  const { desk = 'organiser', name = '', body = '' } = reply ?? {}
  const form = useSchemaForm(NewCannedReply, {
    defaults: { desk, name, body },
    save: async (value) => {
      if (reply) await update.run({ params: { id: reply.id }, body: { ...value, version: reply.version } })
      else await add.run({ body: value })
      toast({ title: 'Réponse type enregistrée', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="name" label="Nom" hint="Celui que l’on lit dans la liste." autoComplete="off" />
      {isOperator && (
        <Field form={form} name="desk" label="Bureau">
          {(control) => (
            <Select {...control} options={Object.entries(DESK_LABELS).map(([value, label]) => ({ value, label }))} />
          )}
        </Field>
      )}
      <Field form={form} name="body" label="Texte" hint="Les champs entre accolades sont remplis quand on la prend.">
        {(control) => <Textarea {...control} rows={8} />}
      </Field>
      <ReplyFieldList />
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Enregistrer la réponse type
      </Button>
    </form>
  )
}

const EditReplyButton = withAccess(supportDesk.updateCanned, ({ reply }: { reply?: CannedReply }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      {reply ? (
        <Button variant="quiet" size="small" aria-label={`Modifier ${reply.name}`} onClick={() => setOpen(true)}>
          Modifier
        </Button>
      ) : (
        <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen(true)}>
          Ajouter une réponse type
        </Button>
      )}
      {open && (
        <Dialog
          title={reply ? `Modifier «\u00a0${reply.name}\u00a0»` : 'Ajouter une réponse type'}
          width="wide"
          open
          onOpenChange={setOpen}
        >
          <CannedReplyForm reply={reply} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
})

const RemoveReplyButton = withAccess(supportDesk.removeCanned, ({ reply }: { reply: CannedReply }) => {
  const remove = useAction(supportDesk.removeCanned, [supportDesk.canned])
  return (
    <Confirm
      title="Supprimer cette réponse type&nbsp;?"
      description={`«\u00a0${reply.name}\u00a0» ne sera plus proposée. Les réponses déjà données restent.`}
      action="Supprimer la réponse type"
      onConfirm={() => remove.run({ params: { id: reply.id } })}
      trigger={<IconButton label={`Supprimer ${reply.name}`} icon={<Trash aria-hidden="true" />} />}
    />
  )
})

const CannedReplyList = ({ items }: { items: CannedReply[] }) => (
  <ul className="grid gap-4 md:grid-cols-2">
    {items.map((reply) => (
      <li key={reply.id}>
        <Card
          title={reply.name}
          description={reply.desk === 'keeper' ? 'Pour les organisations' : undefined}
          actions={
            <>
              <EditReplyButton reply={reply} />
              <RemoveReplyButton reply={reply} />
            </>
          }
        >
          <p className="line-clamp-6 text-body break-words whitespace-pre-line text-ink-soft">{reply.body}</p>
        </Card>
      </li>
    ))}
  </ul>
)

/** Answers that are given often, with what is filled in. */
export default function CannedReplies() {
  const { data, error, refetch } = useQuery(query(supportDesk.canned, { query: {} }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (!data.items.length)
    return (
      <EmptyState
        title="Aucune réponse type"
        why="Ce que vous écrivez souvent se garde ici, et se remplit du prénom, de l’opération ou de la facture."
        action={<EditReplyButton />}
      />
    )
  return (
    <div className="grid gap-4">
      <div>
        <EditReplyButton />
      </div>
      <CannedReplyList items={data.items} />
    </div>
  )
}
