import { useQuery } from '@tanstack/react-query'
import { parties } from '@voisol/contract/parties'
import type { SellerCandidate } from '@voisol/contract/sellers'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { FormErrors } from '../../../../components/field.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { useSchemaForm } from '../../../../lib/form.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { SellerFields } from './fields.tsx'
import { SellerForm, toSellerBody, toSellerFormDefaults } from './seller-form.ts'

function NewSellerForm({ candidate, onDone }: { candidate: SellerCandidate; onDone: () => void }) {
  const add = useAction(parties.addSeller, [parties.sellers, parties.candidates])
  const [, setSearch] = useSearchParams()
  const { participantId } = candidate
  const form = useSchemaForm(SellerForm, {
    defaults: toSellerFormDefaults(candidate),
    save: async (value) => {
      const { id, name } = await add.run({ body: { ...toSellerBody(value), participantId } })
      toast({
        title: 'Vendeur ajouté',
        description: `${name}\u00a0: dites maintenant son régime de TVA.`,
        variant: 'success',
      })
      onDone()
      setSearch({ tab: 'sellers', seller: id })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-6">
      <FormErrors form={form} />
      <SellerFields form={form} organiser={participantId === null} issued={false} />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Ajouter ce vendeur
      </Button>
    </form>
  )
}

function CandidateList({
  items,
  onChoose,
}: {
  items: SellerCandidate[]
  onChoose: (candidate: SellerCandidate) => void
}) {
  if (items.length === 0)
    return (
      <p className="text-body text-ink-soft">
        Tous ceux qui ont un point de production sont déjà des vendeurs. Un nouveau producteur s’ajoute d’abord aux
        participants de son opération.
      </p>
    )
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {items.map((candidate) => (
        <li
          key={candidate.participantId ?? 'organiser'}
          className="flex flex-wrap items-center gap-3 px-4 py-3 text-body"
        >
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{candidate.name}</span>
            <span className="block text-[0.8125rem] text-ink-soft">
              {candidate.participantId === null
                ? 'Votre organisation, pour facturer ses propres frais'
                : candidate.operations.join(', ')}
            </span>
          </span>
          <Button
            variant="secondary"
            size="small"
            aria-label={`Choisir ${candidate.name}`}
            onClick={() => onChoose(candidate)}
          >
            Choisir
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Whom, among those who produce; then its identity, as its sheet has it. */
export default function AddSellerDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...query(parties.candidates, {}), staleTime: 0 })
  const [candidate, setCandidate] = useState<SellerCandidate>()
  return (
    <Dialog
      title={candidate ? candidate.name : 'Ajouter un vendeur'}
      description={candidate ? 'Ce que sa fiche dit déjà est repris.' : 'Un producteur, ou votre organisation.'}
      width={candidate ? 'wide' : 'medium'}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-48 w-full" />}
      {data && !candidate && <CandidateList items={data.items} onChoose={setCandidate} />}
      {candidate && <NewSellerForm candidate={candidate} onDone={onClose} />}
    </Dialog>
  )
}
