import type { EnedisCredential } from '@voisol/contract/enedis'
import { useSearchParams } from 'react-router'
import { ENVIRONMENTS } from '../../lib/distributor-labels.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { scopeOf } from './connections/state.ts'

const CHOSEN = 'connexion'
const LOCAL = 'bac-a-sable'

type Known = { credentials: EnedisCredential[]; sandboxUrl: string | null }

/** The sandbox asks for none until the company has some: from then on the calls without a choice are theirs. */
const isOpen = ({ credentials, sandboxUrl }: Known) =>
  sandboxUrl !== null && !credentials.some(({ operationId }) => operationId === null)

const optionsOf = (known: Known) => [
  ...known.credentials.map((one) => ({
    value: one.id,
    label: `${scopeOf(one)} · ${ENVIRONMENTS[one.environment].label}`,
  })),
  ...(isOpen(known) ? [{ value: LOCAL, label: 'Bac à sable local, sans identifiant' }] : []),
]

/** Through which connection calls go; the choice is in the address. */
export function useConnection(known: Known) {
  const [search, setSearch] = useSearchParams()
  const options = optionsOf(known)
  const value = options.find((option) => option.value === search.get(CHOSEN))?.value ?? options[0]?.value ?? ''
  const choose = (next: string) =>
    setSearch(
      (old) => {
        old.set(CHOSEN, next)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  /** What the calls of the contract take: nothing stands for the sandbox. */
  const through = value === LOCAL ? {} : { credentialId: value }
  return { options, value, choose, through }
}

export const ConnectionChoice = ({ options, value, choose }: ReturnType<typeof useConnection>) => (
  <FieldFrame id="connection" label="Connexion">
    <Select id="connection" options={options} value={value} onChange={(event) => choose(event.target.value)} />
  </FieldFrame>
)
