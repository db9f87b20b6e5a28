import { type ComponentType, lazy as load, useCallback, useEffect, useState } from 'react'
import { Button } from './button.tsx'

type LazyModule<P> = { default: ComponentType<P> }
export type LoadFailure = { asking: boolean; retry: () => void }

/** In place of a part of the program that did not come; what was typed around it stays. */
const PartUnavailable = ({ asking, retry }: LoadFailure) => (
  <p role="alert" className="flex flex-wrap items-center gap-3 text-body">
    Cette partie n’a pas pu s’afficher{'\u00a0'}: le serveur ne répond pas.
    <Button variant="secondary" size="small" loading={asking} onClick={retry}>
      Réessayer
    </Button>
  </p>
)

const createRetryComponent = <P extends object>(
  part: () => Promise<LazyModule<P>>,
  Failed: ComponentType<P & LoadFailure>,
) =>
  function Missing(props: P) {
    const [come, setCome] = useState<LazyModule<P>>()
    const [asking, setAsking] = useState(true)
    const retry = useCallback(() => {
      setAsking(true)
      void part()
        .then(setCome, () => undefined)
        .finally(() => setAsking(false))
    }, [])
    // Shown another time, it is asked for another time.
    useEffect(retry, [retry])
    return come ? <come.default {...props} /> : <Failed {...props} asking={asking} retry={retry} />
  }

/** As React's own, for a part that comes later; where that one takes the whole screen away, this one says so in its place. */
export const lazy = <P extends object>(
  part: () => Promise<LazyModule<P>>,
  Failed: ComponentType<P & LoadFailure> = PartUnavailable,
) => load<ComponentType<P>>(() => part().catch(() => ({ default: createRetryComponent(part, Failed) })))
