import { useQuery } from '@tanstack/react-query'
import { online } from '@voisol/contract/online'
import type { UnmatchedNotice } from '@voisol/contract/online-views'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDateTime, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'

const SettleNote = z.object({ note: online.settleLetter.body.shape.note })

function SettleForm({ letter, onDone }: { letter: UnmatchedNotice; onDone: () => void }) {
  const settle = useAction(online.settleLetter, [online.letters])
  const form = useSchemaForm(SettleNote, {
    defaults: { note: '' },
    save: async (body) => {
      await settle.run({ params: { id: letter.id }, body })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="note" label="Ce que vous en avez fait" placeholder="Paiement d’un autre logiciel" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Classer ce message
      </Button>
    </form>
  )
}

const SettleButton = withAccess(online.settleLetter, ({ letter }: { letter: UnmatchedNotice }) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Classer ce message"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary" size="small">
          Classer
        </Button>
      }
    >
      <SettleForm letter={letter} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

/** Money that the provider tells of and that no invoice here asked for: nothing is posted until somebody looked. */
export default function UnmatchedMessages() {
  const { data } = useQuery(query(online.letters, {}))
  if (!data?.items.length) return null
  return (
    <Card
      title="Messages sans paiement connu"
      description="Le prestataire parle de paiements que Voisol n’a pas ouverts. Rien n’a été enregistré."
    >
      <ul className="divide-y divide-line">
        {data.items.map((letter) => (
          <li key={letter.id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-body">
            <span className="min-w-0">
              <span className="font-medium">
                {letter.about}, {formatMoney(letter.amount)}
              </span>
              <span className="block text-[0.8125rem] break-all text-ink-soft">
                {letter.intent}, chez {letter.provider}, le {formatDateTime(letter.at)}
              </span>
            </span>
            <SettleButton letter={letter} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
