; Where places are, and what they are made of.
; RUN: %prewake %s 2> %t.list | %check %s
; RUN: %check --check-prefix=LIST --input-file=%t.list %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @MPI_Bcast(ptr, i32, i32, i32, i32)
declare i32 @MPI_Comm_rank(i32, ptr)
declare i32 @MPI_Wtime()
declare void @unknown()
declare double @sin(double)

; The module asks for its hooks when it is loaded, and shows nothing to the linker.
; CHECK: @kumi.hooks = internal global ptr null
; CHECK: @llvm.global_ctors = appending global {{.*}} ptr @kumi.find_hooks,

; The first part runs to where the run time wants the place, and the second one to the end.
; CHECK-LABEL: @split(
; CHECK: [[AT:%.*]] = call i64 @kumi.begin_loop(ptr @kumi.place{{.*}}, i64 {{%.*}})
; CHECK: call i64 @llvm.umin.i64(i64 [[AT]]
; CHECK: loop.kumi.first:
; CHECK-NOT: call
; CHECK: icmp eq i64 %kumi.next
; CHECK: kumi.join:
; CHECK-NEXT: phi i64 [ 0, {{.*}} ], [ %next.kumi.first
; CHECK-NEXT: phi double [ 1.000000e+00, {{.*}} ], [ %sum.kumi.first
; CHECK-NEXT: call void @kumi.pass_place
; CHECK: {{^}}loop:
; CHECK-NOT: call
; CHECK: done:
; LIST: in split: MPI_Bcast: woken in the loop in split (split), at the beginning of around_calls{{$}}
define void @split(double %a, i64 %n, ptr %data) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %x = phi double [ 1.0, %entry ], [ %sum, %loop ]
  %product = fmul double %x, %a
  %sum = fadd double %product, 1.0
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  store double %sum, ptr %data
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; Nothing is known of what is called in between: no place above it.
; CHECK-LABEL: @barrier(
; CHECK-NOT: @kumi
; CHECK: ret void
; LIST: in barrier: MPI_Bcast: woken by a timer of an earlier call; not above unknown in barrier
define void @barrier(i64 %n, ptr %data) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  store volatile i64 %i, ptr %data
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  call void @unknown()
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; Nor above a call through a pointer.
; CHECK-LABEL: @indirect(
; CHECK-NOT: kumi
; CHECK: ret void
; LIST: in indirect: MPI_Bcast: woken by a timer of an earlier call; not above a call of unknown code in indirect
define void @indirect(ptr %function, ptr %data) {
  call void %function()
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; What MPI and mathematics do by themselves is passed over.
; CHECK-LABEL: @harmless(
; CHECK: call i64 @kumi.begin_loop
; CHECK: call i32 @MPI_Comm_rank
; LIST: in harmless: MPI_Bcast: woken in the loop in harmless (split), at the beginning of harmless
define void @harmless(double %x, i64 %n, ptr %data) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %y = phi double [ %x, %entry ], [ %z, %loop ]
  %z = call double @sin(double %y)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  store double %z, ptr %data
  %rank = call i32 @MPI_Comm_rank(i32 0, ptr %data)
  %time = call i32 @MPI_Wtime()
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; A function that computes: the place is before it is called; and one that communicates is none.
; CHECK-LABEL: @around_calls(
; CHECK: call void @split
; CHECK-NEXT: call void @kumi.pass_place
; CHECK-NEXT: call void @computes
; CHECK-NEXT: call i32 @MPI_Bcast
; LIST: in around_calls: MPI_Bcast: woken before the call in around_calls; not above split in
define void @around_calls(i64 %n, ptr %data) {
  call void @split(double 0.5, i64 %n, ptr %data)
  call void @computes(i64 %n, ptr %data)
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}
define void @computes(i64 %n, ptr %data) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  store volatile i64 %i, ptr %data
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; From the beginning of a function, the search goes on where it is called.
; CHECK-LABEL: @caller(
; CHECK: call i64 @kumi.begin_loop
; CHECK: call void @called
; LIST: in called: MPI_Bcast: woken in the loop in caller (split), at the beginning of caller
define void @caller(i64 %n, ptr %data) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  store volatile i64 %i, ptr %data
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  call void @called(ptr %data)
  ret void
}
define void @called(ptr %data) {
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; A loop with another inside: each iteration of the outer one asks. The inner one stays as it is.
; CHECK-LABEL: @nested(
; CHECK: call i64 @kumi.begin_loop
; CHECK: outer:
; CHECK: icmp eq i64 %kumi.number{{.*}}, %kumi.at
; CHECK: inner:
; CHECK-NOT: kumi
; CHECK: br i1 %inner.more
; LIST: in nested: MPI_Bcast: woken in the loop in nested (counted), at the beginning of nested
define void @nested(i64 %n, ptr %data) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %next, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %inner.next, %inner ]
  store volatile i64 %j, ptr %data
  %inner.next = add nuw nsw i64 %j, 1
  %inner.more = icmp ult i64 %inner.next, %n
  br i1 %inner.more, label %inner, label %outer.latch
outer.latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %outer, label %done
done:
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; Its end is not known ahead: its iterations are reported at the end.
; CHECK-LABEL: @search(
; CHECK: call i64 @kumi.begin_loop(ptr {{.*}}, i64 -1)
; CHECK: done:
; CHECK: call void @kumi.end_loop(ptr {{.*}}, i64 {{%.*}})
; CHECK-NEXT: call i32 @MPI_Bcast
; LIST: in search: MPI_Bcast: woken in the loop in search (as long as before), at the beginning of search
define void @search(ptr %data, i64 %wanted) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i64, ptr %data, i64 %i
  %value = load i64, ptr %place
  %next = add nuw i64 %i, 1
  %found = icmp eq i64 %value, %wanted
  br i1 %found, label %done, label %loop
done:
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}

; A loop that is known to take no time is passed over, up to the call before.
; CHECK-LABEL: @short(
; CHECK: call i32 @MPI_Bcast
; CHECK-NOT: @kumi
; CHECK: ret void
; LIST: in short: MPI_Bcast: woken by a timer of an earlier call; not above MPI_Bcast in short
define void @short(ptr %data) {
entry:
  %first = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store volatile i64 %i, ptr %data
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %done
done:
  %r = call i32 @MPI_Bcast(ptr %data, i32 1, i32 0, i32 0, i32 0)
  ret void
}
