import type { ReactNode } from 'react';
import styles from './card.module.css';

/** A group: as landmarks, the many of a long transcript would be noise. */
const group = { role: 'group' };

interface CardProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** The bordered card of the transcript, under a name. */
export function Card({ label, className = styles.card, children }: CardProps) {
  return (
    <div className={className} aria-label={label} {...group}>
      {children}
    </div>
  );
}
