import type { SsoConnectionRow } from './scope.ts'

/** An answer of a provider that proves nothing. The sentence is for the journal and whoever sets it up; whoever signs in is told nothing of it. */
export class SsoRefusal extends Error {
  readonly code: string
  constructor(code: string, sentence: string) {
    super(sentence)
    this.code = code
  }
}

export const throwSsoRefusal = (code: string, sentence: string): never => {
  throw new SsoRefusal(code, sentence)
}

export const quoteConnectionName = ({ name }: Pick<SsoConnectionRow, 'name'>) => `«\u00a0${name}\u00a0»`
/** What somebody else wrote, as far as a sentence can hold it. */
export const quoteValue = (value: unknown) => `«\u00a0${String(value ?? '').slice(0, 120)}\u00a0»`
