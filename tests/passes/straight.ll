; Work is added up in a register, and goes to memory before another function can look, and at the end.
; RUN: %count %s | %check %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: @kumi_work = weak_odr thread_local(initialexec) global i64 0, align 8
; CHECK: @kumi_work_flops_per_kilocycle = weak_odr constant i64 1500, align 8

declare void @communicate()
declare double @sin(double)

; Two dependent divisions occupy the divider for 2 x 4 cycles; the return takes none of that.
; CHECK-LABEL: @divide(
; CHECK: fdiv
; CHECK: fdiv
; CHECK: [[SUM:%.*]] = add i64 0, 8000
; CHECK: [[PLACE:%.*]] = call align 8 ptr @llvm.threadlocal.address.p0(ptr align 8 @kumi_work)
; CHECK: [[BEFORE:%.*]] = load i64, ptr [[PLACE]]
; CHECK: [[AFTER:%.*]] = add i64 [[BEFORE]], [[SUM]]
; CHECK: store i64 [[AFTER]], ptr [[PLACE]]
; CHECK-NEXT: ret double
define double @divide(double %x, double %y) {
  %a = fdiv double %x, %y
  %b = fdiv double %a, %y
  ret double %b
}

; CHECK-LABEL: @around(
; CHECK: store i64 {{.*}}, ptr
; CHECK-NEXT: call void @communicate()
; CHECK: store i64 {{.*}}, ptr
; CHECK-NEXT: ret void
define void @around() {
  call void @communicate()
  ret void
}

; A function of the mathematics library cannot look: 35 cycles and the call itself.
; CHECK-LABEL: @wave(
; CHECK-NOT: store
; CHECK: call double @sin
; CHECK: add i64 0, 37500
define double @wave(double %x) {
  %y = call double @sin(double %x)
  ret double %y
}

; What must be a tail call stays one.
; CHECK-LABEL: @tail(
; CHECK: store i64 {{.*}}, ptr
; CHECK-NEXT: musttail call double @divide(double %x, double %y)
; CHECK-NEXT: ret double
define double @tail(double %x, double %y) {
  %r = musttail call double @divide(double %x, double %y)
  ret double %r
}

; Copying takes a cycle for 16 bytes.
; CHECK-LABEL: @copy(
; CHECK: [[SCALED:%.*]] = mul i64 %size, 1000
; CHECK: udiv i64 [[SCALED]], 16
define void @copy(ptr %to, ptr %from, i64 %size) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
