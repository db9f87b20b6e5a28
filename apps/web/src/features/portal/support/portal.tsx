import { OwnSupport } from './own-tickets.tsx'

export default function PortalSupport() {
  return <OwnSupport title={'Une question\u00a0?'} description="Votre organisateur vous répond ici et par e-mail." />
}
