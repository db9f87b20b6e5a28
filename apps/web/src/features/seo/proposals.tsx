import { type SeoContent, seo } from '@voisol/contract/seo'
import Sparkles from 'lucide-react/icons/sparkles'
import { useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { useAction } from '../../lib/queries.ts'
import { getErrorReason } from '../../lib/reason.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'

type Proposal = Omit<SeoContent, 'previewImageUrl'>

const ProposalItem = ({ proposal, rank, onTake }: { proposal: Proposal; rank: number; onTake: () => void }) => (
  <li className="grid gap-1 rounded-card border border-line p-4 text-body">
    <p className="font-medium">{proposal.title}</p>
    <p className="text-ink-soft">{proposal.description}</p>
    <p className="text-[0.8125rem] text-ink-soft">{proposal.keywords.join(', ')}</p>
    <Button
      variant="secondary"
      size="small"
      className="mt-1 justify-self-start"
      aria-label={`Reprendre la proposition ${rank}`}
      onClick={onTake}
    >
      Reprendre
    </Button>
  </li>
)

/** Written from the text of the page itself; nothing is saved until one says so. */
export const SeoProposals = withAccess(
  seo.generate,
  ({ path, onTake }: { path: string; onTake: (proposal: Proposal) => void }) => {
    const generate = useAction(seo.generate, [])
    const [problem, setProblem] = useState('')
    const generateProposals = () => {
      setProblem('')
      generate.run({ body: { path } }).catch((error: unknown) => setProblem(getErrorReason(error)))
    }
    const applyProposal = (proposal: Proposal) => {
      onTake(proposal)
      toast({ title: 'Proposition reprise', description: 'Relisez-la, puis enregistrez.' })
    }
    return (
      <section aria-label="Propositions" className="grid gap-3">
        <Button
          variant="secondary"
          className="justify-self-start"
          icon={<Sparkles aria-hidden="true" />}
          loading={generate.isPending}
          onClick={generateProposals}
        >
          Proposer d’après la page
        </Button>
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
        <div aria-live="polite">
          {generate.data?.proposals.length === 0 && (
            <p className="text-body text-ink-soft">
              La page ne contient pas assez de texte pour en tirer une proposition.
            </p>
          )}
          <ul className="grid gap-3">
            {generate.data?.proposals.map((proposal, index) => (
              <ProposalItem
                key={`${proposal.title} ${proposal.description}`}
                proposal={proposal}
                rank={index + 1}
                onTake={() => applyProposal(proposal)}
              />
            ))}
          </ul>
        </div>
      </section>
    )
  },
)
