import type { ReactNode } from 'react'
import { drawingColours } from '../../ui/drawing/palette.ts'
import { Drawing } from '../../ui/drawing/solids.tsx'

type Props = { className?: string }
type PortraitProps = Props & { label: string; coat: string; skin: string; hair: ReactNode; children: ReactNode }

/** A trade rather than a person: a head without features, a coat, and the tool of the trade. */
const Portrait = ({ className, label, coat, skin, hair, children }: PortraitProps) => (
  <Drawing viewBox="-150 -100 300 200" className={className} label={label}>
    <circle r={92} fill={drawingColours.cream} stroke="none" />
    <path d="M-66 92a66 62 0 0 1 132 0z" fill={coat} />
    <path d="M-14 14v24a14 10 0 0 0 28 0v-24z" fill={skin} />
    <ellipse cy={-12} rx={30} ry={35} fill={skin} />
    {hair}
    {children}
  </Drawing>
)

const shortHair = <path d="M-31 -16c-4-40 66-40 62 0c-8-14-18-18-31-18s-23 4-31 18z" fill={drawingColours.text} />
const longHair = (
  <path
    d="M-32 24c-10-28-12-76 32-76s42 48 32 76c-4-8-2-24-4-36c-10-4-18-8-24-16c-8 10-20 14-32 16c-2 12 0 28-4 36z"
    fill="#5b4636"
  />
)
const bunHair = (
  <>
    <circle cy={-54} r={13} fill="#2b2f3a" />
    <path d="M-31 -14c-4-42 66-42 62 0c-12-8-20-14-31-14s-19 6-31 14z" fill="#2b2f3a" />
  </>
)
const curlyHair = (
  <path
    d="M-32 -8c-14-10-6-24 0-28c0-16 20-22 32-14c12-8 32-2 32 14c8 6 12 18 0 28c-2-12-12-18-32-18s-30 6-32 18z"
    fill="#3b2a20"
  />
)
const helmetHair = (
  <>
    <path d="M-34 -20a34 30 0 0 1 68 0z" fill={drawingColours.sun} />
    <path d="M-42 -20h84" fill="none" strokeWidth={5} stroke={drawingColours.sun} strokeLinecap="round" />
    <path d="M-42 -17h84M-6 -49v20M6 -49v20" fill="none" strokeWidth={1.2} />
  </>
)
const greyHair = (
  <path d="M-31 -10c-8-46 70-46 62 0c-2-12-6-18-12-22c-12 6-28 6-38 0c-6 4-10 10-12 22z" fill={drawingColours.glass} />
)

const PaperSheet = ({ children }: { children: ReactNode }) => (
  <g transform="translate(56 22) rotate(6)">
    <rect x={0} y={0} width={56} height={66} rx={3} fill={drawingColours.light} />
    {children}
  </g>
)

export const SolarEngineer = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne casquée tient un panneau solaire."
    coat={drawingColours.roof}
    skin="#e8b98f"
    hair={helmetHair}
  >
    <g transform="translate(46 20) skewY(-8)" stroke={drawingColours.panelLine}>
      <rect width={70} height={62} fill={drawingColours.panel} />
      <path d="M0 21h70M0 42h70M23 0v62M46 0v62" fill="none" />
    </g>
  </Portrait>
)

export const Modeller = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne tient une feuille où monte une courbe."
    coat={drawingColours.panel}
    skin="#8d5a3b"
    hair={curlyHair}
  >
    <PaperSheet>
      <path d="M8 52c8 0 10-34 20-34s12 34 20 34" fill="none" stroke={drawingColours.sun} strokeWidth={3} />
      <path d="M8 56h40" fill="none" stroke={drawingColours.glass} />
    </PaperSheet>
  </Portrait>
)

export const Jurist = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne tient un code relié."
    coat="#334155"
    skin="#f1cdab"
    hair={bunHair}
  >
    <path d="M-12 40l12 16l12-16" fill={drawingColours.light} />
    <g transform="translate(50 26)">
      <rect width={54} height={66} rx={3} fill={drawingColours.sun} />
      <path d="M8 0v66" fill="none" />
      <path d="M18 16h26M18 26h18" fill="none" stroke={drawingColours.light} strokeWidth={3} />
    </g>
  </Portrait>
)

export const Developer = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne devant un ordinateur portable."
    coat={drawingColours.surplus}
    skin="#e8b98f"
    hair={shortHair}
  >
    <path d="M-50 92l8-46h84l8 46z" fill={drawingColours.light} />
    <circle cy={70} r={6} fill={drawingColours.sun} />
  </Portrait>
)

export const Designer = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne tient le dessin d’un écran."
    coat="#b9c9de"
    skin="#c98f68"
    hair={longHair}
  >
    <PaperSheet>
      <rect x={8} y={9} width={40} height={9} fill={drawingColours.glow} stroke="none" />
      <rect x={8} y={24} width={17} height={32} fill={drawingColours.mid} />
      <rect x={30} y={24} width={18} height={14} fill={drawingColours.leaf} />
    </PaperSheet>
  </Portrait>
)

export const Adviser = ({ className }: Props) => (
  <Portrait
    className={className}
    label="Portrait dessiné&nbsp;: une personne au casque téléphonique."
    coat={drawingColours.panelLine}
    skin="#f1cdab"
    hair={greyHair}
  >
    <path d="M-34 -8a34 40 0 0 1 68 0" fill="none" strokeWidth={4} />
    <rect x={-41} y={-14} width={13} height={24} rx={5} fill={drawingColours.text} />
    <rect x={28} y={-14} width={13} height={24} rx={5} fill={drawingColours.text} />
    <path d="M34 10c0 16-12 20-24 20" fill="none" strokeWidth={3} />
  </Portrait>
)
