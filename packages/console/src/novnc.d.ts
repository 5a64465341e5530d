declare module '@novnc/novnc' {
  /** The parts of noVNC that the console uses. */
  export default class RFB extends EventTarget {
    constructor(place: HTMLElement, channel: WebSocket);
    scaleViewport: boolean;
    background: string;
    disconnect(): void;
    focus(): void;
    sendCtrlAltDel(): void;
  }
}
