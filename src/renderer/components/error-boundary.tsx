import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** What the children draw. Another one gets a try of its own. */
  subject?: unknown;
  /** Stands where the children cannot be drawn. */
  renderFailure: (reason: string) => ReactNode;
  children: ReactNode;
}

interface ErrorBoundaryState {
  subject: unknown;
  reason: string | null;
}

/** Keeps an error in drawing one part of the window from taking the rest along: React removes everything up to here. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { subject: this.props.subject, reason: null };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { reason: error instanceof Error ? error.message : String(error) };
  }

  static getDerivedStateFromProps(
    { subject }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState {
    return Object.is(subject, state.subject) ? state : { subject, reason: null };
  }

  override render(): ReactNode {
    const { reason } = this.state;
    return reason === null ? this.props.children : this.props.renderFailure(reason);
  }
}
